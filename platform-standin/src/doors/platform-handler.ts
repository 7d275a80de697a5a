import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { reelIndex } from "../reels/people-pages.ts";
import type { StandinReel } from "../reels/standin-reel.ts";
import { type Answer, failAnswer, htmlAnswer, sendAnswer } from "./answer.ts";
import { guestCookies, homePage, loginPage, notFoundPage } from "./html-pages.ts";
import { answerInfo, answerQuery, answerRuling, readQuery, reelOfQuery } from "./json-doors.ts";
import { answerEmbed, answerPage, answerShare, answerVideo } from "./page-doors.ts";
import { answerProfilePage } from "./profile-doors.ts";
import type { RequestKind } from "./request-counters.ts";
import type { Site } from "./site.ts";
import type { Door } from "./wall.ts";
import { behindWall } from "./walls.ts";

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

const kindOfQuery = {
  post: "graphql",
  dead: "graphql",
  unknown: "graphql",
  secondPost: "secondQuery",
  profile: "profileList",
  profileForAccount: "profileList",
} as const;

interface RecordedAnswer {
  readonly kind: RequestKind;
  readonly door?: Door;
  readonly reel?: StandinReel | undefined;
  readonly answer: Answer;
}

/** Serves the platform's pages and JSON. */
export function createPlatformHandler(site: Site) {
  const routes = createRoutes(site);

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", site.origins.pages);
    const [pattern, ask] = routes.find(([each]) => each.test(url.pathname))!;
    const [, part = ""] = pattern.exec(url.pathname)!;
    const { kind, door, reel, answer } = await ask(part, { request, headers: request.headers, url });
    site.counters.count(kind, reel?.code);
    if (kind === "home" || kind === "profile")
      response.setHeader(
        "set-cookie",
        guestCookies.map((name) => `${name}=standin-${name}; Path=/; Max-Age=31449600; SameSite=Lax`),
      );
    sendAnswer(response, behindWall(site.wall ?? reel?.wall, door, answer));
  };
}

interface Request {
  readonly request: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
}
/** `part` is the path's variable part: a code, an id or a handle. */
type Route = readonly [RegExp, (part: string, request: Request) => RecordedAnswer | Promise<RecordedAnswer>];

/** The first door whose pattern matches a path serves it; `share` wins over a user of that name. */
function createRoutes(site: Site): readonly Route[] {
  const { registry } = site;
  const code = "([A-Za-z0-9_-]+)";
  /** A door to a single reel. */
  const reelRoute = (
    path: string | RegExp,
    kind: RequestKind & Door,
    find: (part: string, url: URL) => StandinReel | undefined,
    answer: (reel: StandinReel | undefined, headers: IncomingHttpHeaders, site: Site) => Answer | Promise<Answer>,
  ): Route => [
    new RegExp(path),
    async (part, { headers, url }) => {
      const reel = find(part, url);
      return { kind, door: kind, reel, answer: await answer(reel, headers, site) };
    },
  ];
  const byTarget = (_part: string, { searchParams }: URL) => registry.byMediaId(searchParams.get("target_id") ?? "");
  return [
    [
      /^\/$/,
      () => ({
        kind: "home",
        answer: htmlAnswer(homePage(site.token, reelIndex(registry.list, site.origins.pages, site.links))),
      }),
    ],
    [/^\/accounts\/login\/?$/, () => ({ kind: "login", answer: htmlAnswer(loginPage()) })],
    [
      /^\/(?:api\/graphql|graphql\/query)\/?$/,
      async (_, { request, headers, url }) => {
        const form = request.method === "POST" ? await readForm(request) : url.searchParams;
        const query = form && readQuery(form);
        if (!query) return { kind: "graphql", door: "graphql", answer: failAnswer(400, "Bad Request") };
        const kind = kindOfQuery[query.document];
        return { kind, door: kind, reel: reelOfQuery(query, site), answer: await answerQuery(query, headers, site) };
      },
    ],
    reelRoute(/^\/api\/v1\/web\/get_ruling_for_content\/?$/, "ruling", byTarget, answerRuling),
    reelRoute(/^\/api\/v1\/media\/(\d+)(?:_\d+)?\/info\/?$/, "info", registry.byMediaId, answerInfo),
    [
      new RegExp(`^/share/(?:(?:p|reels?|tv)/)?${code}/?$`),
      async (part, { headers, request }) => {
        const reel = registry.byShareId(part);
        await site.shares?.wait(request);
        return { kind: "share", reel, answer: answerShare(part, reel, headers["user-agent"] ?? "") };
      },
    ],
    reelRoute(`^/(?:p|reels?|tv)/${code}/?$`, "page", registry.byCode, answerPage),
    reelRoute(`^/(?:p|reels?|tv)/${code}/embed(?:/captioned)?/?$`, "embed", registry.byCode, answerEmbed),
    [
      new RegExp(`^/reel/${code}/video\\.mp4$`),
      (part, { headers }) => {
        const reel = registry.byCode(part);
        return { kind: "media", reel, answer: answerVideo(reel, headers, site) };
      },
    ],
    reelRoute(`^/[A-Za-z0-9_.]+/(?:p|reel)/${code}/?$`, "page", registry.byCode, answerPage),
    [
      /^\/([A-Za-z0-9_.]{1,30})\/(?:reels\/)?$/,
      async (part, { headers }) => ({
        kind: "profile",
        door: "profile",
        answer: await answerProfilePage(registry.profileOf(part), headers, site),
      }),
    ],
    [/^/, () => ({ kind: "unknown", answer: htmlAnswer(notFoundPage(), 404) })],
  ];
}
