import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { CompetitorReport, ReelCollection } from "@reelscript/contract";
import { describeReport } from "#server/describe/report/describe-report.ts";
import { reportOfCollection } from "#server/features/reports/ingest-collection.ts";
import { median } from "../statistics.ts";
import { type Figure, formatFigure, type Needs } from "../report.ts";
import { drawAccount } from "./drawn-accounts.ts";
import type { Followed, MakeReport } from "./held-out.ts";
import { drawOtherwise, worlds } from "./otherwise-drawn-accounts.ts";
import { judgeAccounts, type Judgment } from "./judge-accounts.ts";

/** Accounts that are drawn as in the study where no folder is named, and those of each other world. */
const drawnAccounts = { whole: 300, quick: 60, smallest: 2 };
const otherwiseDrawn = { whole: 200, quick: 40, smallest: 2 };
const firstSeed = 10_000;

/** How much there is to find isn't known of every world, but what is shuffled has nothing. */
type Aims = "all" | "shuffled";

/** Makes reports of the first 60 % of each account's posts by time, and judges their claims and plans by the rest. */
export async function benchReports({ report, extent, collections: folder }: Needs): Promise<void> {
  const judge = (title: string, note: string, collections: readonly ReelCollection[], aims: Aims = "all"): void => {
    report.section(title, note, "A report on the first 60 % of an account's posts by time is judged by the others.");
    showJudgment(report, judgeAccounts(collections, makeReport), aims);
  };
  const drawn = (count: number, draw: (seed: number) => ReelCollection): ReelCollection[] =>
    Array.from({ length: count }, (_, index) => draw(firstSeed + index));
  if (folder !== undefined) {
    judge("Reports", `Collections of ${folder}.`, await readCollections(folder));
    return;
  }
  judge(
    "Reports",
    "Accounts are drawn, with drift, bursts, seasons, habits that change, and effects that may end.",
    drawn(drawnAccounts[extent], drawAccount),
  );
  for (const [name, world] of Object.entries(worlds))
    judge(
      `Reports on accounts drawn otherwise: ${name}`,
      "No threshold was chosen on these.",
      drawn(otherwiseDrawn[extent], (seed) => drawOtherwise(seed, world)),
      "shuffled",
    );
}

/** Every JSON file of a folder; a file that isn't a collection breaks the bench. */
async function readCollections(folder: string): Promise<ReelCollection[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted();
  if (names.length === 0) throw new Error(`${folder} has no JSON files`);
  return Promise.all(
    names.map(async (name) => {
      const read = ReelCollection.safeParse(JSON.parse(await readFile(path.join(folder, name), "utf8")));
      if (!read.success) throw new Error(`${name} is not a collection: ${read.error.issues[0]?.message}`);
      return read.data;
    }),
  );
}

/** A report as its owner reads it. */
const makeReport: MakeReport = (collection) => {
  const { timezone = "UTC", collectedAt } = collection;
  const { report } = reportOfCollection({ collection, timezone, collectedAt: new Date(collectedAt), mostReels: null });
  const described = describeReport({ id: "rep_bench", ...report! });
  return CompetitorReport.parse(JSON.parse(JSON.stringify(described)));
};

function showJudgment(report: Needs["report"], judgment: Judgment, aims: Aims): void {
  const { accounts, posts, withClaim, withContent, verdicts, shuffled, shuffledWithClaim, plans } = judgment;
  const part = (share: number): string => (Number.isNaN(share) ? "–" : formatFigure(share, "%", 0));
  const ratio = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(2));
  report.note(`${accounts} accounts with at least 40 posts, ${posts} posts`);
  report.table(
    ["claims", "made", "judged", "right", "within", "right (raw)", "within (raw)", "shown", "found"],
    verdicts.map((one) => [
      one.name,
      one.claims,
      one.judged,
      part(one.right),
      part(one.within),
      part(one.rightRaw),
      part(one.withinRaw),
      ratio(one.shown),
      ratio(one.found),
    ]),
  );
  report.table(
    ["later posts that follow", "accounts", "times the others", "raw", "above the median"],
    [followedRow("the plan", judgment.plan), followedRow("the best hour by mean", judgment.bestHour)],
  );
  const [all] = verdicts;
  const middle = (some: readonly Followed[]): number =>
    some.length === 0 ? Number.NaN : median(some.map(({ detrended }) => detrended));
  const least = (value: number): { readonly atLeast?: number } => (aims === "all" ? { atLeast: value } : {});
  const figures: readonly Figure[] = [
    { what: "claims with the right direction", value: all!.right, unit: "%", ...least(0.85) },
    { what: "claims whose interval holds", value: all!.within, unit: "%", ...least(0.8) },
    { what: "accounts with a claim", value: withClaim / accounts, unit: "%", ...least(0.25) },
    { what: "accounts with a claim on content or time", value: withContent / accounts, unit: "%" },
    { what: "accounts with a plan", value: plans / accounts, unit: "%" },
    { what: "shuffled accounts with a claim", value: shuffledWithClaim / shuffled, unit: "%", atMost: 0.04 },
    { what: "posts that follow the plan, times the others", value: middle(judgment.plan), digits: 2, ...least(1.25) },
    { what: "posts at the best hour, times the others", value: middle(judgment.bestHour), digits: 2 },
  ];
  // Without claims nothing of them can be judged.
  report.figures(figures.filter(({ value }) => !Number.isNaN(value)));
}

function followedRow(name: string, some: readonly Followed[]): (string | number)[] {
  const middle = (valueOf: (one: Followed) => number): string =>
    some.length === 0 ? "–" : median(some.map(valueOf)).toFixed(2);
  return [
    name,
    some.length,
    middle(({ detrended }) => detrended),
    middle(({ raw }) => raw),
    some.length === 0 ? "–" : formatFigure(median(some.map(({ aboveMedian }) => aboveMedian)), "%", 0),
  ];
}
