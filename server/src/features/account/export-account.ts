import { peopleOperations, ServiceError } from "@reelscript/contract";
import type {
  Account,
  ListPosition,
  Accounts,
  Keys,
  Webhooks,
  Scripts,
  Translations,
  Files,
  Videos,
  Tags,
  SavedSearches,
  ShareLinks,
  ReportLinks,
  Reports,
  BioPages,
  Clock,
  LongWork,
} from "../../ports.ts";
import { describeBioPage } from "../../describe/describe-bio-page.ts";
import { describeDone } from "../../describe/describe-translation.ts";
import { describeFile } from "../../describe/describe-file.ts";
import { describeVideo } from "../../describe/describe-video.ts";
import { describeReport, describeReportLink } from "../../describe/report/describe-report.ts";
import { describeShareLink } from "../../describe/describe-script.ts";
import { type Handler, Streamed } from "../../run/handler.ts";
import type { FairLine } from "../../rules/fair-line.ts";
import { writeOutput } from "../../run/schemas.ts";

const pageLength = 50;

const { shape } = peopleOperations.exportAccount.output;

interface ExportNeeds {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly scripts: Scripts;
  readonly translations: Pick<Translations, "list">;
  readonly files: Files;
  readonly videos: Pick<Videos, "list">;
  readonly tags: Tags;
  readonly savedSearches: SavedSearches;
  readonly shareLinks: ShareLinks;
  readonly reportLinks: ReportLinks;
  readonly reports: Reports;
  readonly bioPages: BioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly longWork: LongWork;
  readonly exportLine: FairLine;
}

/** Reads page by page while the file is sent, and holds neither a transaction nor more than a page. */
export function exportAccount(needs: ExportNeeds): Handler<"exportAccount"> {
  return async ({ caller: { account } }) => {
    const leave = await needs.exportLine.enter(account.id);
    const exportedAt = needs.clock.now();
    const name = `reelscript-${exportedAt.toISOString().slice(0, 10)}`;
    return new Streamed(encoded(partsOf(needs, account, exportedAt)), name, leave);
  };
}

/** Writes one JSON object, field by field. */
async function* partsOf(needs: ExportNeeds, account: Account, exportedAt: Date): AsyncGenerator<string | Uint8Array> {
  const { accounts, files, keys, webhooks, scripts, translations, tags, savedSearches, shareLinks } = needs;
  const { reportLinks, reports, bioPages, baseUrl, longWork } = needs;
  yield `{${field("exportedAt", exportedAt)}`;
  yield `,\n${field("account", account)}`;
  yield `,\n${field("keys", await keys.list(account.id))}`;
  yield `,\n${field("webhooks", await webhooks.list(account.id))}`;
  yield `,\n"scripts":[`;
  yield* joined(async (after) => {
    const page = await scripts.listUnread(account.id, after);
    if (page.scripts.length === 0) return { next: page.next, items: undefined };
    const ids = page.scripts.map(({ id }) => id);
    const translationsById = await translations.list(account.id, ids);
    const withTranslations = page.scripts.map((script) => {
      const translation = translationsById.get(script.id);
      return { script, translation: translation && describeDone(translation) };
    });
    return { next: page.next, items: await longWork("writeScripts", withTranslations, account.id) };
  });
  const links = await shareLinks.list(account.id);
  const described = links.map((link) => describeShareLink(link, baseUrl()));
  yield `],\n${field("files", (await files.list(account.id)).map(describeFile))}`;
  const videos = await needs.videos.list(account.id);
  yield `,\n${field(
    "videos",
    videos.map((video) => describeVideo(video, baseUrl())),
  )}`;
  yield `,\n${field("tags", await tags.list(account.id))}`;
  yield `,\n${field("savedSearches", await savedSearches.list(account.id))}`;
  yield `,\n${field("shareLinks", described)}`;
  const linksOfReports = await reportLinks.list(account.id);
  const describedReports = linksOfReports.map((link) => describeReportLink(link, baseUrl()));
  yield `,\n${field("reportLinks", describedReports)},\n"reports":[`;
  yield* joined(async (after) => {
    const page = await reports.list(account.id, { limit: pageLength, after });
    const items: string[] = [];
    for (const { id } of page.reports) {
      const report = await reports.find(account.id, id);
      if (report !== undefined) items.push(written(shape.reports.element, describeReport(report)));
    }
    return { next: page.next, items: items.length === 0 ? undefined : items.join(",\n") };
  });
  // If the account was deleted meanwhile, parts are missing from the file, and it must not look whole.
  if ((await accounts.find(account.id)) === undefined)
    throw new ServiceError("unauthorized", "The account was deleted while it was exported.");
  yield `],\n${field("bioPage", describeBioPage(await bioPages.read(account.id), baseUrl()))}}\n`;
}

const field = (name: keyof typeof shape, value: unknown): string => `"${name}":${written(shape[name], value)}`;

const written = (output: Parameters<typeof writeOutput>[0]["output"], value: unknown): string =>
  JSON.stringify(writeOutput({ output }, value));

interface Page {
  /** Items separated by commas; `undefined` when there are none. */
  readonly items: string | Uint8Array | undefined;
  readonly next: ListPosition | undefined;
}

/** The items of all pages, separated by commas. */
async function* joined(read: (after: ListPosition | undefined) => Promise<Page>): AsyncGenerator<string | Uint8Array> {
  let separator = "\n";
  let after: ListPosition | undefined;
  do {
    const page = await read(after);
    if (page.items !== undefined) {
      yield separator;
      yield page.items;
      separator = ",\n";
    }
    after = page.next;
  } while (after !== undefined);
}

async function* encoded(parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  for await (const part of parts) yield typeof part === "string" ? utf8.encode(part) : part;
}
