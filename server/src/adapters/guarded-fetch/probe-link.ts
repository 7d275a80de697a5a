import type { LinkState, ProbeLink } from "../../ports.ts";
import { FetchFailure } from "./fetch-failure.ts";
import { guardedRequest, type Reach } from "./guarded-fetch.ts";

const headers = {
  "user-agent": "Mozilla/5.0 (compatible; ReelscriptBot/1.0; checks links once a day)",
  accept: "text/html,*/*;q=0.8",
  "accept-language": "en-US,en;q=0.8",
};
const mostRedirects = 5;
const longestMilliseconds = 10_000;

/** Asks by GET, because many hosts answer HEAD wrongly; no body is read. */
export function createProbeLink(
  reach: Omit<Reach, "silenceSeconds"> = { origins: ["https://*", "http://*"], mayBePrivate: false },
): ProbeLink {
  async function follow(start: URL, signal: AbortSignal): Promise<LinkState> {
    const within: Reach = { ...reach, silenceSeconds: 5 };
    let url = start;
    for (let hop = 0; hop <= mostRedirects; hop += 1) {
      const answer = await guardedRequest(url, { method: "GET", headers }, within, signal);
      answer.message.destroy();
      const { location } = answer.headers;
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
      if (!isRedirect) return stateOf(answer.status);
      if (!URL.canParse(location, url.href)) return "unknown";
      url = new URL(location, url);
    }
    return "unknown";
  }
  return async (url, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestMilliseconds)]);
    try {
      return await follow(new URL(url), bounded);
    } catch (error) {
      signal.throwIfAborted();
      const cause = error instanceof FetchFailure ? error.cause : undefined;
      return cause instanceof Error && "code" in cause && noAddress.has(cause.code) ? "unresolved" : "unknown";
    }
  };
}

/** There is no such name, or it has no address. */
const noAddress: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** A host that blocks programs or is in trouble says nothing about the link. */
const stateOf = (status: number): LinkState =>
  status === 404 || status === 410 ? "gone" : status >= 200 && status < 300 ? "fine" : "unknown";
