import { hostileShareTargets, type UrlShape, urlShapes } from "@reelscript/platform-standin";
import { describe, expect, test } from "vitest";
import { cachedDataOf, embedMediaOf } from "./logged-out-caller.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";
const ask = (url: string, userAgent = "a program") =>
  fetch(url, { redirect: "manual", headers: { "user-agent": userAgent } });

describe("every address of a reel answers", () => {
  const direct = urlShapes.filter((shape) => !shape.startsWith("share"));
  test.each(direct)("%s with a page about it", async (shape) => {
    const answer = await ask(standin().urlOf(code, shape));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(await answer.text()).toContain("Jane Austen being polite");
  });

  const shared = urlShapes.filter((shape): shape is UrlShape => shape.startsWith("share"));
  test.each(shared)("%s with one redirect to it", async (shape) => {
    const answer = await ask(standin().urlOf(code, shape));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toMatch(`/reel/${code}/`);
    expect(standin().counters.of("share", code)).toBe(1);
  });

  test("a share link tells a browser nothing", async () => {
    const answer = await ask(standin().urlOf(code, "share"), "Mozilla/5.0 (X11; Linux x86_64)");
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain(code);
  });

  test.each(["/", ""])("with %j at its end", async (end) => {
    for (const path of [`/reel/${code}`, `/share/p/BAnobodyHas`, `/tv/${code}/embed`])
      expect((await ask(`${standin().origin}${path}${end}`)).status).toBe(path.startsWith("/share") ? 404 : 200);
  });
});

test("what is not there is not found, and case counts", async () => {
  for (const path of ["/reel/CnobodyKnow/", `/reel/${code.toLowerCase()}/`, "/explore/", "/stories/a/1/"])
    expect((await ask(standin().origin + path)).status).toBe(404);

  expect(() => standin().urlOf("CnobodyKnow")).toThrow("CnobodyKnow");
});

test.each([...hostileShareTargets])("the share id %s leads astray", async (id, { location }) => {
  const answer = await ask(`${standin().origin}/share/reel/${id}/`);
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe(location);
});

test("the page carries the post in its query cache, in the new shape only", async () => {
  const page = await (await ask(standin().urlOf(code))).text();
  expect(cachedDataOf(page)?.xig_polaris_media.if_not_gated_logged_out.code).toBe(code);
  standin().setShape("old");
  expect(cachedDataOf(await (await ask(standin().urlOf(code))).text())).toBeUndefined();
});

test.each(["CenAusten01", "CfmMarkupCa", "CfmEmojiRtl", "CfmLongCapt"])(
  "the embed page of %s carries the caption unharmed",
  async (each) => {
    const page = await (await ask(standin().urlOf(each, "embedCaptioned"))).text();
    const media = embedMediaOf(page);
    const caption = standin().reels.find((reel) => reel.code === each)?.caption;
    expect(media.edge_media_to_caption.edges[0].node.text).toBe(caption);
    expect(page).not.toContain("<script>alert(1)");
    expect(page.split("</script>")).toHaveLength(2);
  },
);

test("the longest caption is as long as the platform allows", () => {
  const reel = standin().reels.find((each) => each.kind === "longCaption");
  expect(reel?.caption).toHaveLength(2200);
});

test("pages of posts that are not public tell nothing of them", async () => {
  const statuses: Record<string, number> = {};
  for (const kind of ["private", "privateShortCode", "ageGated", "deleted"]) {
    const answer = await ask(standin().urlOf(codeOfKind(standin(), kind)));
    statuses[kind] = answer.status;
    expect(await answer.text()).not.toContain("senseandsensibility");
    const embed = await ask(standin().urlOf(codeOfKind(standin(), kind), "embed"));
    expect(await embed.text()).toContain("EmbedIsBroken");
  }
  expect(statuses).toEqual({ private: 302, privateShortCode: 302, ageGated: 302, deleted: 404 });
});
