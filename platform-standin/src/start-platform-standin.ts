import type { DoorContext } from "./doors/door-context.ts";
import { type Handler, type LoopbackServer, startLoopbackServer } from "./doors/loopback-server.ts";
import { type AddedReel, makeReel } from "./reels/make-reel.ts";
import { createMediaHandler } from "./doors/media-handler.ts";
import { createMediaLinks } from "./reels/media-links.ts";
import { createPlatformHandler } from "./doors/platform-handler.ts";
import { createProfiles } from "./reels/profiles.ts";
import { createReelRegistry } from "./reels/reel-registry.ts";
import { readReelTable } from "./reels/reel-table.ts";
import { reelUrl, type UrlShape } from "./reels/reel-url.ts";
import { createRequestCounters, type RequestCounters } from "./doors/request-counters.ts";
import { createTikTokHandler } from "./doors/tiktok/tiktok-handler.ts";
import type { StandinReel } from "./reels/standin-reel.ts";
import type { Wall } from "./doors/wall.ts";

export interface PlatformStandinOptions {
  /** Port of the pages; 0 takes a free one. Default 0. */
  readonly port?: number;
  /** Port of the media; default the next one, or a free one when `port` is 0. */
  readonly mediaPort?: number;
  readonly host?: "127.0.0.1";
  /** The time that links end by. Default the machine's. */
  readonly clock?: () => Date;
  /** How the pages name the origin of the media, where callers know it by another name. */
  readonly mediaName?: string;
}

export interface PlatformStandin {
  /** Where the pages and the JSON are, such as `http://127.0.0.1:8788`. */
  readonly origin: string;
  /** Where the videos and pictures are. */
  readonly mediaOrigin: string;
  /** The same reels as TikTok shows them: pages, short links and media, for whoever reaches it under TikTok's names. */
  readonly tiktokOrigin: string;
  /** A host that nobody has a reason to ask: some media redirect to it. Its requests count as `forbidden`. */
  readonly forbiddenOrigin: string;
  readonly counters: RequestCounters;
  readonly reels: readonly StandinReel[];
  /** The address of a reel; throws on a code that is not there. */
  urlOf(code: string, shape?: UrlShape): string;
  /** From now on queries need another token than the front page gave so far. */
  renewToken(): void;
  /** Puts a wall before every reel, or takes it away. */
  setWall(wall: Wall | undefined): void;
  addReel(reel: AddedReel): StandinReel;
  /** An account without reels; whoever posted one is there already. */
  addProfile(handle: string, options?: { readonly isPrivate?: boolean }): void;
  close(): Promise<void>;
}

const linkSecret = "links of the stand-in";

/** Starts a stand-in of the video platform on the loopback address: pages, JSON, media, walls and failures. */
export async function startPlatformStandin(options: PlatformStandinOptions = {}): Promise<PlatformStandin> {
  const { port = 0, host = "127.0.0.1", clock = () => new Date() } = options;
  const mediaPort = options.mediaPort ?? (port === 0 ? 0 : port + 1);
  const registry = createReelRegistry(readReelTable());
  const profiles = createProfiles(registry.list);
  const counters = createRequestCounters();
  const origins = { pages: "", media: "", tiktok: "", forbidden: "" };
  let tokens = 1;
  let wall: Wall | undefined;
  let added = 0;

  const links = createMediaLinks(() => options.mediaName ?? origins.media, clock, linkSecret);
  const byCode = (code: string) => registry.byCode(code);
  const byMediaId = (mediaId: string) => registry.byMediaId(mediaId);
  const context = (): DoorContext => ({
    token: `AVqStandIn${tokens}`,
    links,
    byCode,
    byMediaId,
    neighborsOf: (reel) => registry.neighborsOf(reel),
  });

  const servers: LoopbackServer[] = [];
  const closeAll = async () => void (await Promise.all(servers.map((server) => server.close())));
  const serve = async (at: number, handler: Handler): Promise<string> => {
    const server = await startLoopbackServer(host, at, handler);
    servers.push(server);
    return server.origin;
  };
  try {
    origins.forbidden = await serve(0, (_, response) => {
      counters.count("forbidden");
      response.writeHead(200, { "content-type": "video/mp4" }).end("nobody was to come here");
    });
    const forbiddenOrigin = (): string => origins.forbidden;
    const origin = (): string => origins.media;
    origins.media = await serve(mediaPort, createMediaHandler({ registry, counters, links, origin, forbiddenOrigin }));
    const pages = {
      registry,
      counters,
      origin: () => origins.pages,
      profileOf: (handle: string) => profiles.of(handle),
      context,
      wall: () => wall,
    };
    origins.pages = await serve(port, createPlatformHandler(pages));
    origins.tiktok = await serve(0, createTikTokHandler({ registry, counters, clock }));
  } catch (error) {
    await closeAll();
    throw error;
  }

  return {
    origin: origins.pages,
    mediaOrigin: origins.media,
    tiktokOrigin: origins.tiktok,
    forbiddenOrigin: origins.forbidden,
    counters,
    reels: registry.list,
    urlOf(code, urlShape) {
      const reel = registry.byCode(code);
      if (!reel) throw new Error(`the stand-in has no reel ${code}`);
      return reelUrl(origins.pages, reel, urlShape);
    },
    renewToken() {
      tokens += 1;
    },
    setWall(next) {
      wall = next;
    },
    addReel(reel) {
      added += 1;
      const made = makeReel(reel, added);
      registry.add(made);
      return made;
    },
    addProfile: (handle, { isPrivate = false } = {}) => profiles.add(handle, isPrivate),
    close: closeAll,
  };
}
