import { cutText, ServiceError } from "@reelscript/contract";
import { readAddress } from "@reelscript/contract/values";
import type {
  ReelAddress,
  ReelLocator,
  Reports,
  Scripts,
  Clock,
  LongWork,
  PackedCollection,
  ReportToMake,
} from "../../ports.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { Handlers } from "../../run/handler.ts";
import { describeReport } from "../../describe/report/describe-report.ts";
import { noSuchReport, orThrow } from "../../rules/refusals.ts";
import { hookOf } from "../../describe/describe-script.ts";
import { ingestWith } from "./ingest-collection.ts";
import { libraryReport, longestSpoken, mostSpoken } from "./library-report.ts";

interface ReportNeeds {
  readonly reports: Reports;
  readonly scripts: Scripts;
  readonly locator: ReelLocator;
  readonly clock: Clock;
  readonly longWork: LongWork;
}

export const reportHandlers = ({ reports, scripts, locator, clock, longWork }: ReportNeeds) =>
  ({
    listCompetitorReports: async ({ input: { limit, cursor }, caller }) => {
      const scope = ["reports", caller.account.id];
      const page = await reports.list(caller.account.id, { limit, after: readCursor(scope, cursor) });
      return {
        reports: page.reports,
        ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
      };
    },

    getCompetitorReport: async ({ input: { id, from, timezone }, caller }) => {
      if (from !== undefined)
        return libraryReport({ reports, scripts, clock, longWork }, caller.account.id, { handle: id, timezone });
      const byHandle = id.startsWith("@");
      const report = await (byHandle ? reports.findNewest(caller.account.id, id) : reports.find(caller.account.id, id));
      if (report === undefined)
        throw new ServiceError(
          "notFound",
          byHandle
            ? "You have no report on this handle. Create one in the browser extension or the dashboard, list your reports, or draw one from your scripts with `from`: `library`."
            : "You have no report with this id. List your reports to find it.",
        );
      return describeReport(report, await reports.listOthers(caller.account.id, report.handle));
    },

    listReportFigures: async ({ input: { handle, limit, cursor }, caller }) => {
      // Every way to write the handle continues the same list.
      const bareHandle = handle?.replace(/^@/, "").toLowerCase();
      const scope = ["report-figures", caller.account.id, ...(bareHandle === undefined ? [] : [bareHandle])];
      const page = await reports.listFigures(caller.account.id, { limit, after: readCursor(scope, cursor), handle });
      return {
        reports: page.reports.map(({ id, handle: ofReport, createdAt, reelsAnalyzed, metrics, reelUrl }) => {
          const platform = reelUrl === null ? undefined : readAddress(reelUrl)?.grammar?.platform;
          return { id, handle: ofReport, createdAt, reelsAnalyzed, metrics, ...(platform && { platform }) };
        }),
        ...(page.next && { nextCursor: writeCursor(scope, page.next) }),
      };
    },

    listReportHooks: async ({ input: { id }, caller }) => {
      const accountId = caller.account.id;
      const { findings } = orThrow(await reports.find(accountId, id), noSuchReport);
      const reels = findings.topReels.flatMap(({ url }) => readNamed(locator, url) ?? []);
      const [first] = reels;
      if (first === undefined) return { hooks: [], inLibrary: 0 };
      const ids = reels.map(({ mediaId }) => mediaId);
      const scriptsByMediaId = new Map(
        (await scripts.findOfReels(accountId, first.platform, ids)).map((script) => [script.mediaId, script]),
      );
      return {
        inLibrary: reels.filter(({ mediaId }) => scriptsByMediaId.has(mediaId)).length,
        hooks: reels.flatMap(({ url, mediaId }) => {
          const script = scriptsByMediaId.get(mediaId);
          const text = script && hookOf(script.text);
          return script && text ? [{ url, scriptId: script.id, language: script.language, text }] : [];
        }),
      };
    },

    importReport: async ({ input, caller, callId }) => {
      const id = callId === undefined ? undefined : `rep_${callId}`;
      const makeReport = async (given: ReportToMake<PackedCollection>, owner: string) => {
        const urls = await longWork("listReelUrls", { reels: given.collection.reels, most: mostSpoken }, owner);
        const spoken = await spokenIn({ scripts, locator }, owner, urls);
        return longWork("makeReport", { ...given, spoken }, owner);
      };
      const report = await ingestWith({ reports, clock }, makeReport)(caller.account, input, id);
      return describeReport(report, await reports.listOthers(caller.account.id, report.handle));
    },

    deleteReport: async ({ input: { id }, caller }) => {
      if (await reports.remove(caller.account.id, id)) return { id };
      throw noSuchReport();
    },
  }) satisfies Partial<Handlers>;

/** Scripts that are read at a time. */
const spokenAtOnce = 20;

/** The speech of those reels of a collection whose scripts the account has, by their URLs. */
async function spokenIn(
  { scripts, locator }: Pick<ReportNeeds, "scripts" | "locator">,
  accountId: string,
  urls: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const reels = urls.flatMap((url) => readNamed(locator, url) ?? []);
  const [first] = reels;
  const texts: (readonly [string, string])[] = [];
  for (let from = 0; first !== undefined && from < reels.length; from += spokenAtOnce) {
    const some = reels.slice(from, from + spokenAtOnce);
    const ids = some.map(({ mediaId }) => mediaId);
    for (const { mediaId, text } of await scripts.findOfReels(accountId, first.platform, ids))
      for (const { url } of some.filter((reel) => reel.mediaId === mediaId))
        texts.push([url, cutText(text, longestSpoken)]);
  }
  return Object.fromEntries(texts);
}

/** Reads an address as it was given. Share links don't say which reel they mean, and resolving one costs a request to the platform. */
function readNamed(locator: ReelLocator, url: string): ReelAddress | undefined {
  const reel = locator.read(url);
  return reel && { ...reel, url };
}
