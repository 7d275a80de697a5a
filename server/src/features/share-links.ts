import { reportLinksPerAccount, ServiceError, shareLinksPerAccount } from "@reelscript/contract";
import { describeShareLink } from "../describe/describe-script.ts";
import { describeReport, describeReportLink, type DescribedReport } from "../describe/report/describe-report.ts";
import { createKeptPictures } from "../run/kept-pictures.ts";
import type {
  ScriptCard,
  ScriptRow,
  ShareLinks,
  Clock,
  RateLimits,
  ReportLinks,
  Moderation,
  ReelLocator,
} from "../ports.ts";
import { noSuchReport, noSuchScript } from "../rules/refusals.ts";
import { createCountCalls } from "../rules/count-calls.ts";
import { isShareToken } from "../rules/new-id.ts";
import type { Handlers } from "../run/handler.ts";
import type { RateLimitSettings } from "../run/admission.ts";

interface ShareLinkNeeds {
  readonly shareLinks: ShareLinks;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  /** 256 random bits in 43 base62 digits, for the address of a shared page. */
  readonly drawShareToken: () => string;
}

export const shareLinkHandlers = ({ shareLinks, baseUrl, clock, drawShareToken }: ShareLinkNeeds) =>
  ({
    listShareLinks: async ({ caller }) => {
      const links = await shareLinks.list(caller.account.id);
      return { links: links.map((link) => describeShareLink(link, baseUrl())), limit: shareLinksPerAccount };
    },

    createShareLink: async ({ input: { id: scriptId }, caller }) => {
      const link = await shareLinks.create({
        accountId: caller.account.id,
        scriptId,
        token: drawShareToken(),
        most: shareLinksPerAccount,
        now: clock.now(),
      });
      if (link === "noScript") throw noSuchScript();
      if (link === "full") throw sharesTooMany(shareLinksPerAccount, "scripts");
      return { link: describeShareLink(link, baseUrl()) };
    },

    revokeShareLink: async ({ input: { id }, caller }) => {
      if (await shareLinks.revoke(caller.account.id, id)) return { id };
      throw new ServiceError("notFound", "You have no share link with this id.");
    },
  }) satisfies Partial<Handlers>;

/** Finds the script behind a share link. Throws `RateLimited`. */
export type OpenShareLink = (token: string, network: string) => Promise<ScriptRow | undefined>;

/** Draws a script's picture. Throws `unavailable`. */
export function createShowScriptCard(
  draw: (card: ScriptCard) => Promise<Uint8Array>,
): (card: ScriptCard) => Promise<Uint8Array> {
  const keptPicture = createKeptPictures();
  return (card) => keptPicture(JSON.stringify(card), () => draw(card));
}

interface OpenShareNeeds {
  readonly shareLinks: ShareLinks;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export function openShareLink({ shareLinks, rateLimits, limits, clock }: OpenShareNeeds): OpenShareLink {
  const count = createCountCalls({ rateLimits, clock, kind: "shared", calls: "shared scripts", limit: limits.address });
  return async (token, network) => {
    if (!isShareToken(token)) return undefined;
    await count(network);
    return shareLinks.open(token);
  };
}

interface ReportLinkNeeds {
  readonly reportLinks: ReportLinks;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  /** 256 random bits in 43 base62 digits, for the address of a shared page. */
  readonly drawShareToken: () => string;
}

export const reportLinkHandlers = ({ reportLinks, baseUrl, clock, drawShareToken }: ReportLinkNeeds) =>
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
      if (link === "full") throw sharesTooMany(reportLinksPerAccount, "reports");
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

interface OpenReportNeeds {
  readonly reportLinks: ReportLinks;
  readonly moderation: Moderation;
  readonly locator: ReelLocator;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export function openReportLink(needs: OpenReportNeeds): OpenReportLink {
  const { rateLimits, limits, clock } = needs;
  const count = createCountCalls({ rateLimits, clock, kind: "shared", calls: "shared reports", limit: limits.address });
  return async (token, network) => {
    if (!isShareToken(token)) return undefined;
    await count(network);
    const shared = await needs.reportLinks.open(token);
    return shared && { title: shared.title, report: await withoutTakenDown(needs, describeReport(shared.report)) };
  };
}

/** Leaves reels that were taken down out of what a shared page shows: top reels and examples. */
async function withoutTakenDown(
  { moderation, locator }: OpenReportNeeds,
  report: DescribedReport,
): Promise<DescribedReport> {
  const { topReels, advice, startFrom = [] } = report;
  const examples = advice.flatMap(({ example, copy = [], avoid }) => [example ?? [], copy, avoid ?? []].flat());
  const urls = [...topReels, ...startFrom, ...examples].map(({ url }) => url);
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
  const isShown = ({ url }: { readonly url: string }): boolean => !hidden.has(url);
  return {
    ...report,
    topReels: topReels.filter(isShown),
    startFrom: startFrom.filter(isShown),
    advice: advice.map((one) => ({
      ...one,
      example: one.example && isShown(one.example) ? one.example : undefined,
      copy: one.copy?.filter(isShown),
      avoid: one.avoid && isShown(one.avoid) ? one.avoid : undefined,
    })),
  };
}

const sharesTooMany = (most: number, nouns: "scripts" | "reports"): ServiceError =>
  new ServiceError(
    "limitReached",
    `You already share ${most} ${nouns}, the maximum. Revoke a link you don't need, then share this one.`,
    { reason: "shareLinksUsed" },
  );
