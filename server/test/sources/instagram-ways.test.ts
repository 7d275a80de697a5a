import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { type Platform, reelAddress } from "../../src/adapters/platforms/platform.ts";
import { createPlatformSource } from "../../src/adapters/platforms/platform-source.ts";
import type { ReelAddress, ReelSource } from "../../src/ports.ts";
import { listen } from "../harness/listen.ts";

interface DoorAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string[]>;
  readonly body: string;
}
type Door = "home" | "page" | "graphql" | "query" | "embed" | "ruling";

const never = new AbortController().signal;
let server: Server;
let platform: Platform;
let reel: ReelAddress;
let source: ReelSource;
let now: number;
let doors: Partial<Record<Door, DoorAnswer>>;
let doorRequests: { readonly door: Door; readonly headers: IncomingHttpHeaders }[];

const doorOf = (path: string): Door => {
  if (path === "/") return "home";
  if (path.startsWith("/api/graphql")) return "graphql";
  if (path.startsWith("/graphql/query")) return "query";
  if (path.includes("get_ruling")) return "ruling";
  return path.includes("/embed/") ? "embed" : "page";
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const door = doorOf(request.url ?? "");
    doorRequests.push({ door, headers: request.headers });
    const { status = 200, headers = {}, body } = doors[door] ?? { body: "<html>an empty shell</html>" };
    response.writeHead(status, headers).end(body);
  });
  const { origin } = await listen(server);
  platform = { ...instagram, origin, otherOrigins: [], mayBePrivate: true };
  reel = reelAddress(platform, "DLlGZiCOBQ0")!;
});
afterAll(() => void server.close());
beforeEach(() => {
  now = Date.parse("2026-01-01T00:00:00Z");
  doorRequests = [];
  doors = { home };
  source = createPlatformSource({ platform, clock: { now: () => new Date(now) }, maxBytes: 1_000 });
});

const home: DoorAnswer = {
  headers: { "set-cookie": ["csrftoken=secretCsrf; Path=/", "mid=secretMid; Path=/"] },
  body: '["LSD",[],{"token":"secretToken"}',
};
const shownPost = (code: string, caption: string) => ({
  code,
  caption: { text: caption },
  video_versions: [{ url: "https://x.fbcdn.net/video.mp4" }],
});
const post = (mediaItem: unknown, more: object = {}) => ({
  code: "DLlGZiCOBQ0",
  if_not_gated_logged_out: mediaItem,
  ...more,
});
const answer = (media: unknown): DoorAnswer => ({ body: JSON.stringify({ data: { xig_polaris_media: media } }) });
const route = (name: string) => `{"canonicalRouteName":"comet.igweb.${name}"}`;
const page = (name: string, ...media: unknown[]): DoorAnswer => ({
  body: [route(name), ...media.map((one) => JSON.stringify({ result: { data: { xig_polaris_media: one } } }))]
    .map((block) => `<script type="application/json" data-sjs>${block}</script>`)
    .join(""),
});
const postRoute = "PolarisLoggedOutDesktopWWWPostRoute";
const errorPage = page("PolarisErrorRoute");
const kindOf = () =>
  source.resolve(reel, never).then(
    () => "read",
    (error: { readonly kind: string }) => error.kind,
  );
const doorsAsked = () => doorRequests.map(({ door }) => door);

describe("what a page says", () => {
  test("the post with this code is used, not its neighbors", async () => {
    const neighbor = { code: "Cneighbor01", if_not_gated_logged_out: shownPost("Cneighbor01", "another") };
    doors.page = page(postRoute, neighbor, post(shownPost("DLlGZiCOBQ0", "this one")));
    expect(await source.resolve(reel, never)).toMatchObject({ caption: "this one" });
    expect(doorsAsked()).toEqual(["page"]);
    doors = { page: page(postRoute, neighbor) };
    expect(await kindOf()).toBe("walled");
  });

  const deep = "[".repeat(100_000) + "]".repeat(100_000);

  test.each([
    ["a message that is an object", '{"message":{"toString":1,"valueOf":1}}'],
    ["a message that is deep", `{"message":${deep}}`],
    [
      "a ruling that is deep",
      `{"data":{"xig_polaris_media":{"code":"DLlGZiCOBQ0","if_not_gated_logged_out":null,"gating_ruling":{"title":${deep}}}}}`,
    ],
  ])("%s is no fault of ours", async (_name, body) => {
    doors = { home, page: page("Other"), graphql: { body }, query: { body }, ruling: { body } };
    expect(await kindOf()).toMatch(/^(?:walled|changed|private)$/);
  });

  test.each([postRoute, "PolarisCAAIGLoginHomepageRoute"])("%s without the post is a wall", async (name) => {
    const walled: DoorAnswer = { status: 500, body: "" };
    doors = { page: page(name), graphql: walled, query: walled, embed: walled };
    expect(await kindOf()).toBe("walled");
  });

  test("a reel is gone only if both page and query say so", async () => {
    doors = { home, page: errorPage, graphql: answer(null) };
    expect(await kindOf()).toBe("deleted");
    expect(doorsAsked()).toEqual(["page", "home", "graphql"]);
    const unreadable: DoorAnswer = { body: "{}" };
    const odd: DoorAnswer = { body: '{"data":{"odd":1}}' };
    doors = { home, page: errorPage, graphql: odd, query: odd, embed: unreadable };
    expect(await kindOf()).toBe("changed");
    doors = { home, page: page("OddRoute"), graphql: answer(null), query: odd, embed: unreadable };
    expect(await kindOf()).toBe("changed");
  });

  test("a post gated with a reason costs no other request", async () => {
    doors = { page: page(postRoute, post(null, { gating_ruling: { title: "Not available in your region" } })) };
    expect(await kindOf()).toBe("regionGated");
    expect(doorsAsked()).toEqual(["page"]);
  });

  test("an address without a platform isn't a deleted reel", async () => {
    const missing: DoorAnswer = { status: 404, body: "" };
    doors = { home: missing, page: missing, graphql: missing, query: missing, embed: missing };
    expect(await kindOf()).toBe("changed");
  });
});

describe("the front page", () => {
  const open = answer(post(shownPost("DLlGZiCOBQ0", "by query")));

  test("is asked once for many reels, and again after ten minutes", async () => {
    doors = { home, graphql: open };
    expect(await Promise.all(Array.from({ length: 5 }, kindOf))).toEqual(Array.from({ length: 5 }, () => "read"));
    now += 599_000;
    await kindOf();
    expect(doorsAsked().filter((door) => door === "home")).toHaveLength(1);
    now += 2_000;
    await kindOf();
    expect(doorsAsked().filter((door) => door === "home")).toHaveLength(2);
  });

  test("is requested again when a query is refused, but not per reel", async () => {
    doors = { home, graphql: open };
    await kindOf();
    doors = { home, graphql: { status: 403, body: "{}" } };
    for (let times = 0; times < 3; times += 1) expect(await kindOf()).toBe("walled");
    expect(doorsAsked().filter((door) => door === "home")).toHaveLength(2);
  });

  test("that puts up a wall ends nothing", async () => {
    doors = { home: { status: 429, body: "" }, graphql: open };
    expect(await kindOf()).toBe("read");
    expect(doorRequests.at(-1)?.headers["x-fb-lsd"]).toMatch(/^[\w-]{8,}$/);
  });

  test("is still requested for waiting callers when the first one leaves", async () => {
    doors = { home, graphql: open };
    const leaving = new AbortController();
    const reason = new Error("left");
    const first = source.resolve(reel, leaving.signal);
    const second = kindOf();
    leaving.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(await second).toBe("read");
  });
});

test("changes are logged with each way's findings, without tokens and cookies", async () => {
  const odd = { body: '{"data":{"odd":1},"csrf_token":"secretCsrf"}' };
  doors = {
    home,
    page: { body: `${route("OddRoute")}${home.body}` },
    graphql: odd,
    query: odd,
    embed: { body: "odd" },
  };
  const failure: Error = await source.resolve(reel, never).then(
    () => new Error("read"),
    (error: Error) => error,
  );
  expect(failure.message).toContain("page saw 200, route comet.igweb.OddRoute");
  expect(failure.message).toContain("graphql saw 200, route none");
  expect(failure.message).not.toMatch(/secret/);
});
