import { ServiceError } from "@reelscript/contract";
import type { ReelAddress, ReelLocator } from "../../ports.ts";
import { readCursor, writeCursor } from "../../describe/cursor.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { describeReport } from "../../describe/describe-account.ts";
import { hookOf } from "../../describe/spoken-parts.ts";
import { ingestCollection } from "./ingest-collection.ts";

export const reportHandlers = ({
  reports,
  scripts,
  locator,
  clock,
}: Needs<"reports" | "scripts" | "locator" | "clock">) =>
  ({
    listCompetitorReports: async ({ input: { limit, cursor }, caller }) => {
      const scope = ["reports", caller.account.id];
      const found = await reports.list(caller.account.id, { limit, after: readCursor(scope, cursor) });
      return {
        reports: found.reports.map((report) => ({ ...report, createdAt: report.createdAt.toISOString() })),
        ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
      };
    },

    getCompetitorReport: async ({ input: { id }, caller }) => {
      const byHandle = id.startsWith("@");
      const found = await (byHandle ? reports.findNewest(caller.account.id, id) : reports.find(caller.account.id, id));
      if (found === undefined)
        throw new ServiceError(
          "notFound",
          byHandle
            ? "You have no report of this handle. Reports are made in the browser extension; the list shows those that there are."
            : "You have no report with this id. The list shows those that there are.",
        );
      return describeReport(found);
    },

    listReportFigures: async ({ input: { limit, cursor }, caller }) => {
      const scope = ["report-figures", caller.account.id];
      const found = await reports.listFigures(caller.account.id, { limit, after: readCursor(scope, cursor) });
      return {
        reports: found.reports.map((report) => ({ ...report, createdAt: report.createdAt.toISOString() })),
        ...(found.next && { nextCursor: writeCursor(scope, found.next) }),
      };
    },

    listReportHooks: async ({ input: { id }, caller, signal }) => {
      const accountId = caller.account.id;
      const report = await reports.find(accountId, id);
      if (report === undefined)
        throw new ServiceError("notFound", "You have no report with this id. List your reports to find it.");
      const reels = (
        await Promise.all(
          report.findings.topReels.map(async ({ url }) => ({ url, reel: await located(locator, url, signal) })),
        )
      ).filter(({ reel }) => reel !== undefined);
      const platform = reels[0]?.reel?.platform;
      if (platform === undefined) return { hooks: [], inLibrary: 0 };
      const mediaIds = reels.map(({ reel }) => reel!.mediaId);
      const found = new Map(
        (await scripts.findOfReels(accountId, platform, mediaIds)).map((script) => [script.mediaId, script]),
      );
      return {
        inLibrary: reels.filter(({ reel }) => found.has(reel!.mediaId)).length,
        hooks: reels.flatMap(({ url, reel }) => {
          const script = found.get(reel!.mediaId);
          const text = script && hookOf(script.text);
          return script && text ? [{ url, scriptId: script.id, language: script.language, text }] : [];
        }),
      };
    },

    importReport: async ({ input, caller, callId }) => {
      const id = callId === undefined ? undefined : `rep_${callId}`;
      return describeReport(await ingestCollection({ reports, clock })(caller.account, input, id));
    },

    deleteReport: async ({ input: { id }, caller }) => {
      if (await reports.remove(caller.account.id, id)) return { id };
      throw new ServiceError("notFound", "You have no report with this id. List your reports to find it.");
    },
  }) satisfies Partial<Handlers>;

/** Only addresses that name their reel: finding out where a share link leads costs a request to the platform. */
async function located(locator: ReelLocator, url: string, signal: AbortSignal): Promise<ReelAddress | undefined> {
  const { pathname } = new URL(url);
  if (pathname.startsWith("/share/") || !/\/(?:reels?|p|tv)\/[\w-]+\/?$/.test(pathname)) return undefined;
  return locator.locate(url, signal).catch(() => undefined);
}
