import { type Handler, type LoopbackServer, startLoopbackServer } from "./doors/loopback-server.ts";
import { type HeldShares, holdShares } from "./doors/hold-shares.ts";
import { createMediaHandler } from "./doors/media-handler.ts";
import { createPlatformHandler } from "./doors/platform-handler.ts";
import { createRequestCounters, type RequestCounters } from "./doors/request-counters.ts";
import type { Site } from "./doors/site.ts";
import { createTikTokHandler } from "./doors/tiktok/tiktok-handler.ts";
import type { Wall } from "./doors/wall.ts";
import { type AddedReel, makeReel } from "./reels/make-reel.ts";
import { createMediaLinks } from "./reels/media-links.ts";
import { createReelRegistry } from "./reels/reel-registry.ts";
import { readReelTable } from "./reels/reel-table.ts";
import { reelUrl, type UrlShape } from "./reels/reel-url.ts";
import type { StandinReel } from "./reels/standin-reel.ts";

export interface PlatformStandinOptions {
  /** Port of the pages; 0 chooses a free one. Default 0. */
  readonly port?: number;
  /** Port of the media; by default the next one, or a free one if `port` is 0. */
  readonly mediaPort?: number;
  /** The clock that decides when links expire. Defaults to the machine's. */
  readonly clock?: () => Date;
  /** The origin of the media in pages, if callers know it by another name. */
  readonly mediaName?: string;
}

export interface PlatformStandin {
  /** Origin of the pages and the JSON, such as `http://127.0.0.1:8788`. */
  readonly origin: string;
  /** Origin of the videos and pictures. */
  readonly mediaOrigin: string;
  /** Serves the same reels as TikTok does, with pages, short links and media, to callers that use TikTok's names. */
  readonly tiktokOrigin: string;
  readonly counters: RequestCounters;
  readonly reels: readonly StandinReel[];
  /** The address of a reel; throws for an unknown code. */
  urlOf(code: string, shape?: UrlShape): string;
  /** From now on, queries need a new token instead of the front page's current one. */
  renewToken(): void;
  /** Puts a wall around every reel, or removes it. */
  setWall(wall: Wall | undefined): void;
  /** Answers no share link until they are released. */
  holdShares(): HeldShares;
  addReel(reel: AddedReel): StandinReel;
  /** Adds an account without reels; accounts with reels already exist. */
  addProfile(handle: string, options?: { readonly isPrivate?: boolean }): void;
  close(): Promise<void>;
}

const tokenOf = (number: number): string => `AVqStandIn${number}`;

/** Starts a stand-in for the video platform on the loopback address: pages, JSON, media, walls and failures. */
export async function startPlatformStandin(options: PlatformStandinOptions = {}): Promise<PlatformStandin> {
  const { port = 0, mediaPort = port === 0 ? 0 : port + 1, clock = () => new Date(), mediaName } = options;
  const registry = createReelRegistry(readReelTable());
  const counters = createRequestCounters();
  const origins = { pages: "", media: "", tiktok: "", forbidden: "" };
  const links = createMediaLinks(() => mediaName ?? origins.media, clock, "links of the stand-in");
  const site: Site = { registry, counters, links, origins, token: tokenOf(1), wall: undefined, shares: undefined };
  let tokens = 1;
  let added = 0;

  const servers: LoopbackServer[] = [];
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  const serve = async (at: number, handler: Handler): Promise<string> => {
    const server = await startLoopbackServer(at, handler);
    servers.push(server);
    return server.origin;
  };
  try {
    // Nothing should request this one; some media redirect to it.
    origins.forbidden = await serve(0, (_, response) => {
      counters.count("forbidden");
      response.writeHead(200, { "content-type": "video/mp4" }).end("nobody was to come here");
    });
    origins.media = await serve(mediaPort, createMediaHandler(site));
    origins.pages = await serve(port, createPlatformHandler(site));
    origins.tiktok = await serve(0, createTikTokHandler(site, clock));
  } catch (error) {
    await close();
    throw error;
  }

  return {
    origin: origins.pages,
    mediaOrigin: origins.media,
    tiktokOrigin: origins.tiktok,
    counters,
    reels: registry.list,
    urlOf(code, urlShape) {
      const reel = registry.byCode(code);
      if (!reel) throw new Error(`the stand-in has no reel ${code}`);
      return reelUrl(origins.pages, reel, urlShape);
    },
    renewToken: () => void (site.token = tokenOf((tokens += 1))),
    setWall: (wall) => void (site.wall = wall),
    holdShares: () => (site.shares = holdShares()),
    addReel(reel) {
      const addedReel = makeReel(reel, (added += 1));
      registry.add(addedReel);
      return addedReel;
    },
    addProfile: (handle, { isPrivate = false } = {}) => registry.addProfile(handle, isPrivate),
    close,
  };
}
