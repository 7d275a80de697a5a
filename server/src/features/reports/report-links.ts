import { reportLinksPerAccount, ServiceError } from "@reelscript/contract";
import { describeReport, describeReportLink, type DescribedReport } from "../../describe/report/describe-report.ts";
import { createCountOpening } from "../../run/count-opening.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { noSuchReport } from "./reports.ts";

export const reportLinkHandlers = ({
  reportLinks,
  baseUrl,
  clock,
  drawShareToken,
}: Needs<"reportLinks" | "baseUrl" | "clock" | "drawShareToken">) =>
  ({
    listReportLinks: async ({ caller }) => {
      const links = await reportLinks.list(caller.account.id);
      return { links: links.map((link) => describeReportLink(link, baseUrl())), limit: reportLinksPerAccount };
    },

    createReportLink: async ({ input: { id: reportId, title = null }, caller }) => {
      const link = await reportLinks.create({
        accountId: caller.account.id,
        reportId,
        token: drawShareToken(),
        title,
        most: reportLinksPerAccount,
        now: clock.now(),
      });
      if (link === "noReport") throw noSuchReport();
      if (link === "full")
        throw new ServiceError(
          "limitReached",
          `You already share ${reportLinksPerAccount} reports, the maximum. Revoke a link you don't need, then share this one.`,
          { reason: "shareLinksUsed" },
        );
      return { link: describeReportLink(link, baseUrl()) };
    },

    revokeReportLink: async ({ input: { id }, caller }) => {
      if (await reportLinks.revoke(caller.account.id, id)) return { id };
      throw new ServiceError("notFound", "You have no report link with this id.");
    },
  }) satisfies Partial<Handlers>;

/** A report that its owner shares, without what it says of the owner's other reports. */
export interface SharedReport {
  /** By the owner. */
  readonly title: string | null;
  readonly report: DescribedReport;
}

/** Finds the report behind a link, without reels that were taken down since. Throws `RateLimited`. */
export type OpenReportLink = (token: string, network: string) => Promise<SharedReport | undefined>;

type OpenNeeds = Needs<"reportLinks" | "moderation" | "locator" | "rateLimits" | "limits" | "clock">;

export function openReportLink(needs: OpenNeeds): OpenReportLink {
  const countOpening = createCountOpening(needs, "shared reports");
  return async (token, network) => {
    if (!(await countOpening(token, network))) return undefined;
    const shared = await needs.reportLinks.open(token);
    return shared && { title: shared.title, report: await withoutTakenDown(needs, describeReport(shared.report)) };
  };
}

/** Leaves reels that were taken down out of what a shared page shows: top reels and examples. */
async function withoutTakenDown(
  { moderation, locator }: Pick<OpenNeeds, "moderation" | "locator">,
  report: DescribedReport,
): Promise<DescribedReport> {
  const { topReels, advice, startFrom = [] } = report;
  const urls = [...topReels, ...startFrom, ...advice.flatMap(({ example }) => example ?? [])].map(({ url }) => url);
  const reels = urls.flatMap((url) => {
    const reel = locator.read(url);
    return reel === undefined ? [] : [{ url, platform: reel.platform, mediaId: reel.mediaId }];
  });
  const gone = await moderation.listTakenDown(reels);
  if (gone.length === 0) return report;
  const hidden = new Set(
    reels
      .filter((reel) => gone.some(({ platform, mediaId }) => reel.platform === platform && reel.mediaId === mediaId))
      .map(({ url }) => url),
  );
  return {
    ...report,
    topReels: topReels.filter(({ url }) => !hidden.has(url)),
    startFrom: startFrom.filter(({ url }) => !hidden.has(url)),
    advice: advice.map((one) =>
      one.example !== undefined && hidden.has(one.example.url) ? { ...one, example: undefined } : one,
    ),
  };
}
