import type { IncomingMessage, ServerResponse } from "node:http";
import { htmlAnswer, jsonAnswer, sendAnswer, type Answer } from "./answer.ts";
import type { DoorContext } from "./door-context.ts";
import { guestCookies, homePage, loginPage, notFoundPage } from "./html-pages.ts";
import { answerInfo, answerQuery, answerRuling, readQuery, reelOfQuery } from "./json-doors.ts";
import { answerEmbed, answerPage, answerShare, answerVideo } from "./page-doors.ts";
import { answerProfilePage } from "./profile-doors.ts";
import type { StandinProfile } from "../reels/profiles.ts";
import { raiseWall } from "./raise-wall.ts";
import { reelIndex } from "../reels/reel-index.ts";
import type { ReelRegistry } from "../reels/reel-registry.ts";
import type { CountingRequestCounters, RequestKind } from "./request-counters.ts";
import type { StandinReel } from "../reels/standin-reel.ts";
import type { Door, Wall } from "./wall.ts";

const mostFormBytes = 65_536;

async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostFormBytes) return undefined;
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
}

export interface PlatformHandlerInput {
  readonly registry: ReelRegistry;
  readonly counters: CountingRequestCounters;
  readonly origin: () => string;
  readonly profileOf: (handle: string) => StandinProfile | undefined;
  readonly context: () => DoorContext;
  /** A wall around the whole platform, above those of single reels. */
  readonly wall: () => Wall | undefined;
}

const kindOfQuery = {
  post: "graphql",
  dead: "graphql",
  unknown: "graphql",
  secondPost: "secondQuery",
  profile: "profileList",
  profileForAccount: "profileList",
} as const;

interface Asked {
  readonly kind: RequestKind;
  readonly door?: Door;
  readonly reel?: StandinReel | undefined;
  readonly answer: Answer;
}

/** Answers for the platform's pages and JSON. */
export function createPlatformHandler(input: PlatformHandlerInput) {
  const { registry, counters } = input;

  async function ask(request: IncomingMessage, url: URL): Promise<Asked> {
    const context = input.context();
    const route = routeOf(url);
    const { headers } = request;
    switch (route.kind) {
      case "home":
        return {
          kind: "home",
          answer: htmlAnswer(homePage(context.token, reelIndex(registry.list, input.origin(), context.links))),
        };
      case "login":
        return { kind: "login", answer: htmlAnswer(loginPage()) };
      case "page": {
        const reel = registry.byCode(route.code);
        return { kind: "page", door: "page", reel, answer: await answerPage(reel, headers, input.origin(), context) };
      }
      case "embed": {
        const reel = registry.byCode(route.code);
        return { kind: "embed", door: "embed", reel, answer: answerEmbed(reel, headers, input.origin(), context) };
      }
      case "video": {
        const reel = registry.byCode(route.code);
        return { kind: "media", reel, answer: answerVideo(reel, input.context()) };
      }
      case "share": {
        const reel = registry.byShareId(route.id);
        return { kind: "share", reel, answer: answerShare(route.id, reel, headers["user-agent"] ?? "") };
      }
      case "ruling": {
        const reel = registry.byMediaId(route.mediaId);
        return { kind: "ruling", door: "ruling", reel, answer: answerRuling(reel) };
      }
      case "info": {
        const reel = registry.byMediaId(route.mediaId);
        return { kind: "info", door: "info", reel, answer: await answerInfo(reel, headers, context) };
      }
      case "profile": {
        const answer = await answerProfilePage(input.profileOf(route.handle), headers, context);
        return { kind: "profile", door: "profile", answer };
      }
      case "graphql": {
        const form = request.method === "POST" ? await readForm(request) : url.searchParams;
        const query = form && readQuery(form);
        const bad = { kind: "graphql", door: "graphql" } as const;
        if (!query) return { ...bad, answer: jsonAnswer({ message: "Bad Request", status: "fail" }, 400) };
        const kind = kindOfQuery[query.document];
        const reel = reelOfQuery(query, context);
        return { kind, door: kind, reel, answer: await answerQuery(query, headers, input.profileOf, context) };
      }
      case "unknown":
        return { kind: "unknown", answer: htmlAnswer(notFoundPage(), 404) };
    }
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", input.origin());
    const { kind, door, reel, answer } = await ask(request, url);
    counters.count(kind, reel?.code);
    if (kind === "home" || kind === "profile")
      response.setHeader(
        "set-cookie",
        guestCookies.map((name) => `${name}=standin-${name}; Path=/; Max-Age=31449600; SameSite=Lax`),
      );
    const wall = input.wall() ?? reel?.wall;
    if (wall && door && wall.doors.includes(door)) raiseWall(wall.name, door, answer, response);
    else sendAnswer(response, answer);
  };
}

export type Route =
  | { kind: "home" }
  | { kind: "login" }
  | { kind: "page"; code: string }
  | { kind: "embed"; code: string }
  | { kind: "video"; code: string }
  | { kind: "share"; id: string }
  | { kind: "ruling"; mediaId: string }
  | { kind: "graphql" }
  | { kind: "info"; mediaId: string }
  | { kind: "profile"; handle: string }
  | { kind: "unknown" };

type Pattern = [RegExp, (part: (index: number) => string, url: URL) => Route];

const code = "([A-Za-z0-9_-]+)";
const patterns: readonly Pattern[] = [
  [/^\/$/, () => ({ kind: "home" })],
  [/^\/accounts\/login\/?$/, () => ({ kind: "login" })],
  [/^\/(?:api\/graphql|graphql\/query)\/?$/, () => ({ kind: "graphql" })],
  [
    /^\/api\/v1\/web\/get_ruling_for_content\/?$/,
    (_, url) => ({ kind: "ruling", mediaId: url.searchParams.get("target_id") ?? "" }),
  ],
  [/^\/api\/v1\/media\/(\d+)(?:_\d+)?\/info\/?$/, (part) => ({ kind: "info", mediaId: part(1) })],
  [new RegExp(`^/share/(?:(?:p|reels?|tv)/)?${code}/?$`), (part) => ({ kind: "share", id: part(1) })],
  [new RegExp(`^/(?:p|reels?|tv)/${code}/?$`), (part) => ({ kind: "page", code: part(1) })],
  [new RegExp(`^/(?:p|reels?|tv)/${code}/embed(?:/captioned)?/?$`), (part) => ({ kind: "embed", code: part(1) })],
  [new RegExp(`^/reel/${code}/video\\.mp4$`), (part) => ({ kind: "video", code: part(1) })],
  [new RegExp(`^/[A-Za-z0-9_.]+/(?:p|reel)/${code}/?$`), (part) => ({ kind: "page", code: part(1) })],
  [/^\/([A-Za-z0-9_.]{1,30})\/(?:reels\/)?$/, (part) => ({ kind: "profile", handle: part(1) })],
];

/** Which door a request path leads to; `share` wins over a user of that name. */
function routeOf(url: URL): Route {
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(url.pathname);
    if (match) return make((index) => match[index] ?? "", url);
  }
  return { kind: "unknown" };
}
