import type { Output } from "../operation-types.ts";
import { showPercentage, showValue, table, shortenText, wrapText } from "./text.ts";
import type { Page } from "./surroundings.ts";

/** A bio page as its visitors read it, with the ids that a change of the links needs. */
export function bioPage(answer: Output<"getMyBioPage">, page: Page): string {
  const { displayName, bio, links, socials, theme } = answer;
  return [
    page.bold(displayName ?? "(no name yet)"),
    ...(bio ? wrapText(bio, page.width) : []),
    "",
    links.length === 0 ? page.dim("No links yet.") : linkTable(links, page),
    ...(socials.length === 0 ? [] : ["", ...socials.map(({ platform, url }) => `${platform}  ${url}`)]),
    "",
    page.dim(`Theme ${theme.preset}${theme.font === "look" ? "" : `, ${theme.font}`}`),
  ].join("\n");
}

const linkTable = (links: Output<"getMyBioPage">["links"], page: Page): string =>
  table(
    links,
    [
      { title: "ID", cell: ({ id }) => id },
      { title: "SHOWN", cell: ({ enabled }) => (enabled ? "yes" : "no") },
      { title: "TITLE", cell: ({ title }) => title },
      { title: "URL", cell: ({ url }) => (url === null ? "–" : shortenText(url, 60)) },
    ],
    page,
  );

export const bioNote = ({ url, revision, updatedAt }: Output<"getMyBioPage">): string =>
  [
    url ?? "no handle claimed yet",
    `revision ${showValue(revision)}`,
    ...(updatedAt === null ? [] : [`changed ${showValue(updatedAt)}`]),
  ].join(" · ");

export const bioChanges = ({ changes }: Output<"updateBioPage">, page: Page): string =>
  changes
    .map(({ path, before, after }) => `${path}  ${page.red(shortly(before))} → ${page.green(shortly(after))}`)
    .join("\n");

export function changeNote({ changes, dryRun, revision }: Output<"updateBioPage">): string {
  if (changes.length === 0) return `Nothing to change; still at revision ${showValue(revision)}`;
  return dryRun
    ? `Nothing was written; still at revision ${showValue(revision)}`
    : `Changed; now at revision ${showValue(revision)}`;
}

const shortly = (value: unknown): string =>
  value === null || value === undefined
    ? "–"
    : shortenText(typeof value === "string" ? value : JSON.stringify(value), 60);

/** Figures beside those of the period before, then links and where visitors came from. */
export function bioFigures(answer: Output<"getBioAnalytics">, page: Page): string {
  const { previous, links, referrers, devices } = answer;
  const rows = [
    ["Views", showValue(answer.views), showValue(previous.views)],
    ["Clicks", showValue(answer.clicks), showValue(previous.clicks)],
    ["Click rate", percentage(answer.clickRate), percentage(previous.clickRate)],
    ["Daily visitors", showValue(answer.dailyUniqueVisitors), showValue(previous.dailyUniqueVisitors)],
    ["of them clicked", percentage(answer.visitorClickRate), percentage(previous.visitorClickRate)],
  ] as const;
  return [
    table(
      rows,
      [
        { title: "", cell: ([name]) => name },
        { title: "NOW", right: true, cell: ([, now]) => now },
        { title: "BEFORE", right: true, cell: ([, , before]) => before },
      ],
      page,
    ),
    ...(links.length === 0
      ? []
      : [
          "",
          table(
            links,
            [
              { title: "LINK", cell: ({ title, deleted }) => (deleted ? `${title} (deleted)` : title) },
              { title: "CLICKS", right: true, cell: ({ clicks }) => showValue(clicks) },
              { title: "SHARE", right: true, cell: ({ share }) => percentage(share) },
            ],
            page,
          ),
        ]),
    ...shares(
      "From",
      referrers.slice(0, 5).map(({ host, views }) => [host ?? "not said", views]),
    ),
    ...shares(
      "On",
      devices.map(({ device, views }) => [device, views]),
    ),
  ].join("\n");
}

const percentage = (rate: number): string => showPercentage(rate * 100);

const shares = (title: string, rows: (readonly [string, number])[]): string[] =>
  rows.length === 0 ? [] : ["", `${title} ${rows.map(([name, views]) => `${name} ${showValue(views)}`).join(", ")}`];

export function figuresNote({ from, to, excluded }: Output<"getBioAnalytics">): string {
  const { bots, prefetch, owner, floods } = excluded;
  return `${from} to ${to}, days of UTC · not counted: ${showValue(bots)} of bots, ${showValue(prefetch)} prefetched, ${showValue(owner)} of yours, ${showValue(floods)} of floods`;
}
