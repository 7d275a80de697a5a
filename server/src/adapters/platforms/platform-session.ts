import type { Sighting, PlatformSession, Platform } from "./platform.ts";
import { browserUserAgent } from "./browser.ts";
import type { Exit, OpenExit } from "./exits.ts";
import { FetchFailure } from "../guarded-fetch/fetch-failure.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
  type Page,
} from "../guarded-fetch/guarded-fetch.ts";
import { SourceFailure } from "./source-failure.ts";

/** Requests to a platform and to the hosts of its media. */
export function fetchThrough(
  { proxy }: Exit,
  { origin, otherOrigins, mayBePrivate }: Platform,
  options: Pick<GuardedFetchOptions, "limits" | "resolveHost">,
): GuardedFetch {
  const origins = [origin, ...otherOrigins];
  return createGuardedFetch({ ...options, origins, mayBePrivate, userAgent: browserUserAgent, proxy });
}

export function createPlatformSession(
  platform: Platform,
  fetch: GuardedFetch,
  exit: Pick<OpenExit, "name" | "turn">,
  signal: AbortSignal,
  onSign?: () => void,
): PlatformSession {
  const { origin } = platform;
  const seen: Sighting[] = [];

  /** The platform sends unwanted callers to its login page or its front page. */
  const isWall = (target: URL, requestUrl: URL): boolean =>
    platform.isWall(target) || (target.pathname === "/" && requestUrl.pathname !== "/");

  function judge({ status, text }: Page, { pathname }: URL): void {
    if (status === 200) return;
    const said = `${pathname} answered ${status}`;
    if (status === 401 || status === 403 || status === 429 || (status >= 300 && status < 400))
      throw new SourceFailure("walled", said);
    if (platform.asksToWait(text)) throw new SourceFailure("walled", said);
    if (status >= 500) throw new SourceFailure("unreachable", said);
    throw new SourceFailure(status === 404 || status === 410 ? "deleted" : "changed", said);
  }

  return {
    origin,
    exit: exit.name,
    signal,
    seen,
    async ask(path, question = {}) {
      await exit.turn();
      const url = new URL(path, origin);
      const page = await fetch
        .page(url, { ...question, onSign, follow: (target) => !isWall(target, url) }, signal)
        .catch(throwAsSourceFailure);
      seen.push({ path: url.pathname, status: page.status, text: page.text });
      judge(page, url);
      return { text: page.text, cookies: page.url.origin === origin ? cookiesOf(page) : new Map() };
    },
  };
}

function cookiesOf(page: Page): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const line of page.headers["set-cookie"] ?? []) {
    const [, name, value] = /^([\w.-]{1,100})=([\w%.:|/+=~-]{1,1000})(?:;|$)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && cookies.size < 20) cookies.set(name, value);
  }
  return cookies;
}

/** Other errors, such as the reason of a signal, stay what they are. */
export function throwAsSourceFailure(error: unknown): never {
  if (!(error instanceof FetchFailure)) throw error;
  const kinds = {
    refused: "changed",
    unreachable: "unreachable",
    tooLarge: "changed",
    badStatus: "unreachable",
    proxyFailed: "unreachable",
  } as const;
  throw new SourceFailure(kinds[error.reason], error.message, error);
}
