import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
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
  const { counters } = input;
  const routes = createRoutes(input);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", input.origin());
    const [pattern, ask] = routes.find(([each]) => each.test(url.pathname))!;
    const [, part = ""] = pattern.exec(url.pathname)!;
    const { kind, door, reel, answer } = await ask(part, { request, headers: request.headers, url });
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

interface Request {
  readonly request: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
}
/** `part` is what the path names: a code, an id or a handle. */
type Route = readonly [RegExp, (part: string, request: Request) => Asked | Promise<Asked>];

/** The first whose pattern fits a path answers it; `share` wins over a user of that name. */
function createRoutes({ registry, origin, profileOf, context }: PlatformHandlerInput): readonly Route[] {
  const code = "([A-Za-z0-9_-]+)";
  const page: Route[1] = async (part, { headers }) => {
    const reel = registry.byCode(part);
    return { kind: "page", door: "page", reel, answer: await answerPage(reel, headers, origin(), context()) };
  };
  return [
    [
      /^\/$/,
      () => {
        const { token, links } = context();
        return { kind: "home", answer: htmlAnswer(homePage(token, reelIndex(registry.list, origin(), links))) };
      },
    ],
    [/^\/accounts\/login\/?$/, () => ({ kind: "login", answer: htmlAnswer(loginPage()) })],
    [
      /^\/(?:api\/graphql|graphql\/query)\/?$/,
      async (_, { request, headers, url }) => {
        const form = request.method === "POST" ? await readForm(request) : url.searchParams;
        const query = form && readQuery(form);
        const bad = { kind: "graphql", door: "graphql" } as const;
        if (!query) return { ...bad, answer: jsonAnswer({ message: "Bad Request", status: "fail" }, 400) };
        const kind = kindOfQuery[query.document];
        const reel = reelOfQuery(query, context());
        return { kind, door: kind, reel, answer: await answerQuery(query, headers, profileOf, context()) };
      },
    ],
    [
      /^\/api\/v1\/web\/get_ruling_for_content\/?$/,
      (_, { url }) => {
        const reel = registry.byMediaId(url.searchParams.get("target_id") ?? "");
        return { kind: "ruling", door: "ruling", reel, answer: answerRuling(reel) };
      },
    ],
    [
      /^\/api\/v1\/media\/(\d+)(?:_\d+)?\/info\/?$/,
      async (part, { headers }) => {
        const reel = registry.byMediaId(part);
        return { kind: "info", door: "info", reel, answer: await answerInfo(reel, headers, context()) };
      },
    ],
    [
      new RegExp(`^/share/(?:(?:p|reels?|tv)/)?${code}/?$`),
      (part, { headers }) => {
        const reel = registry.byShareId(part);
        return { kind: "share", reel, answer: answerShare(part, reel, headers["user-agent"] ?? "") };
      },
    ],
    [new RegExp(`^/(?:p|reels?|tv)/${code}/?$`), page],
    [
      new RegExp(`^/(?:p|reels?|tv)/${code}/embed(?:/captioned)?/?$`),
      (part, { headers }) => {
        const reel = registry.byCode(part);
        return { kind: "embed", door: "embed", reel, answer: answerEmbed(reel, headers, origin(), context()) };
      },
    ],
    [
      new RegExp(`^/reel/${code}/video\\.mp4$`),
      (part) => {
        const reel = registry.byCode(part);
        return { kind: "media", reel, answer: answerVideo(reel, context()) };
      },
    ],
    [new RegExp(`^/[A-Za-z0-9_.]+/(?:p|reel)/${code}/?$`), page],
    [
      /^\/([A-Za-z0-9_.]{1,30})\/(?:reels\/)?$/,
      async (part, { headers }) => ({
        kind: "profile",
        door: "profile",
        answer: await answerProfilePage(profileOf(part), headers, context()),
      }),
    ],
    [/^/, () => ({ kind: "unknown", answer: htmlAnswer(notFoundPage(), 404) })],
  ];
}
