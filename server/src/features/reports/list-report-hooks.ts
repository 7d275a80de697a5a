import { longestHook, ServiceError } from "@reelscript/contract";
import type { ReelAddress, ReelLocator, Reports, Scripts } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

interface Ports {
  readonly reports: Reports;
  readonly scripts: Scripts;
  readonly locator: ReelLocator;
}

export const listReportHooks =
  ({ reports, scripts, locator }: Ports): Handler<"listReportHooks"> =>
  async ({ input: { id }, caller, signal }) => {
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
  };

/** Only addresses that name their reel: finding out where a share link leads costs a request to the platform. */
async function located(locator: ReelLocator, url: string, signal: AbortSignal): Promise<ReelAddress | undefined> {
  const { pathname } = new URL(url);
  if (pathname.startsWith("/share/") || !/\/(?:reels?|p|tv)\/[\w-]+\/?$/.test(pathname)) return undefined;
  return locator.locate(url, signal).catch(() => undefined);
}

/** The first sentence that is said. */
function hookOf(text: string): string {
  const beginning = text.trimStart().slice(0, 2 * longestHook);
  const [first] = new Intl.Segmenter("und", { granularity: "sentence" }).segment(beginning);
  const sentence = (first?.segment ?? "").trim();
  if (sentence.length <= longestHook) return sentence;
  const letters = new Intl.Segmenter("und", { granularity: "grapheme" }).segment(sentence);
  const cut = sentence.slice(0, letters.containing(longestHook - 1)?.index);
  const space = cut.lastIndexOf(" ");
  return `${space > longestHook / 2 ? cut.slice(0, space) : cut}…`;
}
