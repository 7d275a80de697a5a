import { describe, expect, test } from "vitest";
import {
  ask,
  askFirst,
  askQuery,
  blocksOf,
  cachedAnswerOf,
  csrf,
  embedMediaOf,
  firstQuery,
  frame,
  type Json,
  navigation,
  postOf,
  routeNameOf,
  sameOrigin,
  secondQuery,
  shownOf,
  visit,
} from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";
const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
const itemsOf = (text: string) =>
  JSON.parse(text).data.xdt_api__v1__media__shortcode__web_info?.items as Json[] | undefined;
const codeOf = (kind: string) => codeOfKind(standin(), kind);

describe("a request of another form gets an application without data, with status 200", () => {
  const isShell = (text: string) =>
    text.startsWith("<!DOCTYPE html>") && blocksOf(text).length === 0 && !text.includes(code);

  test.each(Object.keys(navigation))("the page without %s", async (name) => {
    const { status, text } = await ask(standin().urlOf(code), without(navigation, name));
    expect([status, isShell(text)]).toEqual([200, true]);
  });

  test.each([...Object.keys(sameOrigin), "x-fb-lsd"])("the queries without %s, as 600 kB", async (name) => {
    const { token, cookie } = await visit(standin());
    for (const [path, document, variables] of [firstQuery(code), secondQuery(code)]) {
      const form = { lsd: token, doc_id: document, variables: JSON.stringify(variables) };
      const headers = without({ ...sameOrigin, ...csrf, "x-fb-lsd": token, cookie }, name);
      const { status, text } = await ask(standin().origin + path, headers, form);
      expect([status, isShell(text)]).toEqual([200, true]);
      expect(text.length).toBeGreaterThan(590_000);
    }
  });

  test.each(Object.keys(frame))("the embed page without %s", async (name) => {
    const { status, text } = await ask(standin().urlOf(code, "embedCaptioned"), without(frame, name));
    expect([status, isShell(text)]).toEqual([200, true]);
  });

  test("what Node's fetch sends for a navigation, and what a phone sends", async () => {
    expect(isShell(await (await fetch(standin().urlOf(code), { headers: navigation })).text())).toBe(true);
    const phone = { ...navigation, "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Mobile Safari/604.1" };
    expect(isShell((await ask(standin().urlOf(code), phone)).text)).toBe(true);
  });
});

describe("queries", () => {
  test("both answer with token and cookies of the front page", async () => {
    const visitor = await visit(standin());
    const first = await askQuery(standin(), visitor, firstQuery(code));
    expect(JSON.parse(first.text).data.xig_polaris_media.if_not_gated_logged_out.code).toBe(code);
    const second = await askQuery(standin(), visitor, secondQuery(code), csrf);
    expect(itemsOf(second.text)?.[0]?.["code"]).toBe(code);
    expect(standin().counters.snapshot()).toMatchObject({ graphql: 1, secondQuery: 1, home: 1 });
  });

  test("are refused with an old token, without cookies, the second without CSRF", async () => {
    const visitor = await visit(standin());
    expect((await askQuery(standin(), { ...visitor, cookie: "mid=1" }, firstQuery(code))).status).toBe(403);
    expect((await askQuery(standin(), visitor, secondQuery(code))).status).toBe(403);
    standin().renewToken();
    expect((await askQuery(standin(), visitor, firstQuery(code))).status).toBe(403);
    expect((await askFirst(standin(), code)).status).toBe(200);
  });

  test("the dead one returns nothing for every reel; unknown ones are refused", async () => {
    const visitor = await visit(standin());
    const dead = await askQuery(standin(), visitor, ["/graphql/query", "8845758582119845", { shortcode: code }]);
    expect(JSON.parse(dead.text)).toMatchObject({ data: { xdt_shortcode_media: null } });
    expect((await askQuery(standin(), visitor, ["/api/graphql", "1", {}])).status).toBe(400);
    for (const variables of ["{", "", "1"])
      expect((await ask(`${standin().origin}/api/graphql`, {}, { variables })).status).toBe(400);
  });

  test("the answer of the mobile application is for accounts", async () => {
    const { mediaId } = standin().reels[0]!;
    const url = `${standin().origin}/api/v1/media/${mediaId}/info/`;
    expect(await ask(url)).toMatchObject({ status: 302, location: "/accounts/login/" });
    const { text } = await ask(url, { cookie: "sessionid=1" });
    expect(JSON.parse(text).items[0]).toMatchObject({ code, play_count: 90412, video_duration: 26.924 });
  });
});

describe("the page of a post", () => {
  test("says its route, and carries the query's answer with twelve other posts", async () => {
    const { text } = await ask(standin().urlOf(code), navigation);
    expect(routeNameOf(text)).toBe("comet.igweb.PolarisLoggedOutDesktopWWWPostRoute");
    const answer = cachedAnswerOf(text)!;
    expect(answer["extensions"]).toEqual({ is_final: true });
    const { edges } = answer["data"].xig_polaris_media.if_not_gated_logged_out.user.polaris_ordered_timeline_connection;
    const others = (edges as Json[]).map(({ node }) => node as Json);
    expect(others).toHaveLength(12);
    for (const other of others) {
      expect(other["code"]).not.toBe(code);
      expect(other["video_versions"][0].url).toContain(`/${other["pk"]}_0.mp4`);
    }
    expect(text.indexOf(others[0]!["code"])).toBeLessThan(text.lastIndexOf(`"code":"${code}"`));
  });

  test.each([
    ["deleted", "comet.igweb.PolarisErrorRoute"],
    ["unknownToPage", "comet.igweb.PolarisErrorRoute"],
    ["unknownToQuery", "comet.igweb.PolarisLoggedOutDesktopWWWPostRoute"],
    ["wall:emptyData", "comet.igweb.PolarisLoggedOutDesktopWWWPostRoute"],
    ["wall:loginRoute", "comet.igweb.PolarisCAAIGLoginHomepageRoute"],
  ])("of %s is the route %s without data, with status 200", async (kind, route) => {
    const { status, text } = await ask(standin().urlOf(codeOf(kind)), navigation);
    expect([status, routeNameOf(text), cachedAnswerOf(text)]).toEqual([200, route, undefined]);
  });

  test("and an error route for what never was", async () => {
    const { status, text } = await ask(`${standin().origin}/reel/CnobodyKnow/`, navigation);
    expect([status, routeNameOf(text)]).toEqual([200, "comet.igweb.PolarisErrorRoute"]);
  });
});

test("gone for both, for the page alone, for the first query alone", async () => {
  const visitor = await visit(standin());
  const knows = async (kind: string) => {
    const each = codeOf(kind);
    const page = cachedAnswerOf((await ask(standin().urlOf(each), navigation)).text);
    const { data } = JSON.parse((await askQuery(standin(), visitor, firstQuery(each))).text);
    const second = itemsOf((await askQuery(standin(), visitor, secondQuery(each), csrf)).text);
    return [page !== undefined, data.xig_polaris_media?.if_not_gated_logged_out != null, second !== undefined];
  };
  expect(await knows("deleted")).toEqual([false, false, false]);
  expect(await knows("unknownToPage")).toEqual([false, true, true]);
  expect(await knows("unknownToQuery")).toEqual([false, false, true]);
});

test("gates say what they are for, or leave it to the ruling", async () => {
  const rulingOf = async (kind: string) => {
    const { mediaId } = standin().reels.find((reel) => reel.kind === kind)!;
    const path = `/api/v1/web/get_ruling_for_content/?content_type=MEDIA&target_id=${mediaId}`;
    return JSON.parse((await ask(standin().origin + path)).text).title as string;
  };
  const titleOf = async (kind: string) => {
    const post = await postOf(standin(), codeOf(kind));
    expect(post["if_not_gated_logged_out"]).toBeNull();
    return post["gating_ruling"]?.title as string | undefined;
  };
  expect([await titleOf("ageGated"), await rulingOf("ageGated")]).toEqual([
    "Age-restricted content",
    "Restricted Video",
  ]);
  expect(await titleOf("regionGated")).toBe("Not available in your region");
  expect([await titleOf("gatedWithoutReason"), await rulingOf("gatedWithoutReason")]).toEqual([
    undefined,
    "Restricted Video",
  ]);
  expect([await titleOf("private"), await rulingOf("private")]).toEqual([undefined, ""]);
});

test("if an owner forbids embedding, there is no address of the video", async () => {
  const embedOf = async (each: string) =>
    embedMediaOf((await ask(standin().urlOf(each, "embedCaptioned"), frame)).text)!;
  expect(await embedOf(codeOf("noEmbed"))).not.toHaveProperty("video_url");
  expect(await embedOf(code)).toHaveProperty("video_url");
  expect(await embedOf(code)).not.toHaveProperty("taken_at_timestamp");
});

test("what visitors are not told, and what a bare post leaves out", async () => {
  const post = await shownOf(standin(), code);
  for (const field of ["view_count", "play_count", "video_duration"]) expect(post).not.toHaveProperty(field);
  const bare = await shownOf(standin(), codeOf("bare"));
  expect(bare).toMatchObject({ image_versions2: null, video_dash_manifest: null, display_uri: expect.any(String) });
  expect(bare).not.toHaveProperty("taken_at");
});

describe("profiles", () => {
  const list = ["/graphql/query", "27553725110923321", { username: "quiet.chapters", first: 12 }] as const;

  test("tell visitors neither author nor date nor counts", async () => {
    const { text } = await askQuery(standin(), await visit(standin()), list);
    const { edges, page_info } = JSON.parse(text).data.xig_user_by_username.polaris_ordered_timeline_connection;
    expect(page_info).toMatchObject({ has_next_page: expect.any(Boolean), end_cursor: expect.any(String) });
    for (const { node } of edges as Json[])
      expect(Object.keys(node).toSorted()).toEqual(
        ["caption", "code", "display_uri", "media_type", "pk", "product_type"].toSorted(),
      );
    const page = await ask(`${standin().origin}/quiet.chapters/`, navigation);
    expect(cachedAnswerOf(page.text)!["data"].xig_user_by_username.username).toBe("quiet.chapters");
    expect(cachedAnswerOf((await ask(`${standin().origin}/quiet.chapters/`)).text)).toBeUndefined();
  });

  test("tell more to those who are signed in", async () => {
    const visitor = await visit(standin());
    const forAccount = ["/graphql/query", "9310670392322965", { username: "quiet.chapters" }] as const;
    const { cookie, token } = visitor;
    const { text } = await askQuery(standin(), { token, cookie: `${cookie}; sessionid=1` }, forAccount);
    const [edge] = JSON.parse(text).data.xdt_api__v1__clips__user__connection_v2.edges as Json[];
    expect(edge!["node"].media).toMatchObject({ play_count: expect.any(Number), taken_at: expect.any(Number) });
    expect((await askQuery(standin(), visitor, forAccount)).text).toContain("<!DOCTYPE html>");
  });
});
