import { ServiceError } from "@reelscript/contract";
import type { Asker, ReelAddress, ReelLocator } from "../../ports.ts";
import { createGuardedFetch, type Page } from "../guarded-fetch/guarded-fetch.ts";
import type { ResolveHost } from "../guarded-fetch/guarded-lookup.ts";
import { directExits, type Exit, type Exits } from "./exits.ts";
import { throwAsSourceFailure } from "./platform-source.ts";
import { type Platform, reelAddress } from "./platform.ts";
import { SourceFailure } from "./source-failure.ts";
import { readAddress } from "@reelscript/contract/values";

/** Browsers get a page whose script finds the reel; programs get a redirect. */
const userAgent = "Reelscript/1.0";

/** A share link costs one request, to its platform only; other URLs cost none. */
export function createReelLocator(options: {
  readonly platforms: readonly Platform[];
  /** Says whether the server is set up to fetch reels of a platform; all are unless given. */
  readonly isSetUp?: ((platform: Platform) => boolean) | undefined;
  /** Without it platforms are reached directly. */
  readonly exitsOf?: ((platform: Platform) => Exits) | undefined;
  /** Receives details that callers may not see. */
  readonly log?: ((message: string, error: unknown) => void) | undefined;
  /** Only for tests. */
  readonly resolveHost?: ResolveHost | undefined;
}): ReelLocator {
  const { platforms, isSetUp = () => true, exitsOf = () => directExits, log, resolveHost } = options;
  const fetched = platforms.filter(isSetUp);

  async function follow(platform: Platform, url: URL, signal: AbortSignal, asker?: Asker): Promise<URL> {
    const { mayBePrivate } = platform;
    const ask = ({ proxy }: Exit): Promise<Page> =>
      createGuardedFetch({ origins: [url.origin], mayBePrivate, userAgent, resolveHost, proxy })
        .page(url, { follow: () => false }, signal)
        .catch(throwAsSourceFailure);
    await asker?.beforeAsking();
    const visit = { signal, hurriedFor: asker?.accountId ?? "", evenResting: true };
    const answer = await exitsOf(platform)
      .use(visit, ask)
      .catch((error: unknown) => {
        if (!(error instanceof SourceFailure)) throw error;
        log?.("a share link could not be followed", error);
        throw new ServiceError(
          "upstreamError",
          "We couldn't reach the platform to follow this share link. Try again in a minute.",
          { reason: "platformUnreachable", cause: error },
        );
      });
    const { location } = answer.headers;
    if (answer.status === 404 || answer.status === 410)
      throw new ServiceError("notFound", "This share link no longer leads to a reel.", {
        reason: "shareLinkDead",
      });
    if (answer.status < 300 || answer.status > 399 || location === undefined || !URL.canParse(location, url.href)) {
      log?.("a share link was not answered with a redirect", new Error(`status ${answer.status}`));
      throw new ServiceError(
        "upstreamError",
        "The platform didn't say which reel this share link leads to. Try again in a few minutes, or send the reel's own URL.",
        { reason: "platformChanged" },
      );
    }
    return new URL(location, url);
  }

  async function locateShare(platform: Platform, url: URL, signal: AbortSignal, asker?: Asker): Promise<ReelAddress> {
    const target = await follow(platform, url, signal, asker);
    // A login page that the link redirects to still has the reel in its own address.
    const address = reelAt(target.href, [platform]);
    if (address !== undefined) return address;
    if (platform.isWall(target))
      throw new ServiceError(
        "upstreamError",
        "The platform isn't following this share link right now. Try again in a few minutes, or send the reel's own URL.",
        { reason: "platformRefused" },
      );
    throw new ServiceError(
      "invalidRequest",
      "url is a share link that does not lead to a reel. Give the reel's own URL.",
      { reason: "notAReel" },
    );
  }

  return {
    examples: fetched.map(exampleOf),
    async locate(text, signal, asker) {
      const link = readReelUrl(text, platforms, fetched);
      if (link.kind === "reel") return link.address;
      return locateShare(link.platform, new URL(link.url), signal, asker);
    },
    read: (text) => reelAt(text, platforms),
  };
}

/** The reel that is named in the URL itself. */
export function reelAt(url: string, platforms: readonly Platform[]): ReelAddress | undefined {
  try {
    const link = readReelUrl(url, platforms);
    return link.kind === "reel" ? link.address : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** The URL of a reel, or a share link that only the platform can resolve. */
type ReelUrl =
  | { readonly kind: "reel"; readonly address: ReelAddress }
  | { readonly kind: "share"; readonly platform: Platform; readonly url: string };

/**
 * Reads the URL of a reel in any of the shapes that the platforms use. Pure. Throws `ServiceError` `invalidRequest` when it
 * names no reel of one of `platforms`; the message says what is accepted: reels of the platforms in `examples`.
 */
export function readReelUrl(
  text: string,
  platforms: readonly Platform[],
  examples: readonly Platform[] = platforms,
): ReelUrl {
  const refusal = (what: string): ServiceError => notAReel(what, examples);
  const read = readAddress(text);
  if (read === undefined) throw refusal("is not an http(s) URL");
  const { url, grammar, link } = read;
  const platform = platforms.find(({ name, origin }) =>
    grammar === undefined ? url.origin === origin : name === grammar.platform,
  );
  if (platform === undefined) {
    if (grammar === undefined) throw refusal("is not on a platform that reels are taken from");
    throw new ServiceError("invalidRequest", `This server doesn't accept reels of ${grammar.label}.`, {
      reason: "platformOff",
    });
  }
  if (link.kind === "share") return { kind: "share", platform, url: `${link.origin ?? platform.origin}${link.path}` };
  const address = link.kind === "reel" ? reelAddress(platform, link.code) : undefined;
  if (address !== undefined) return { kind: "reel", address };
  if (link.kind === "sound") throw refusal("names a sound, not a reel");
  if (link.kind === "story") throw refusal("names a story; only reels are taken");
  throw refusal("does not name a reel");
}

function notAReel(what: string, platforms: readonly Platform[]): ServiceError {
  const examples = platforms.map(exampleOf).join(" or ");
  const accepted = examples === "" ? "" : ` Accepted: ${examples}, other links of the same reel, and share links.`;
  return new ServiceError("invalidRequest", `url ${what}.${accepted}`, { reason: "notAReel" });
}

/** The form of a reel's address. */
const exampleOf = ({ origin, links }: Platform): string => `${origin}${links.pathOf("{code}")}`;
