import { urlShapes } from "@reelscript/platform-standin";
import { describe, expect, test } from "vitest";
import { ask as send, embedMediaOf, frame, navigation } from "./visitor.ts";
import { codeOfKind, withStandin } from "./with-standin.ts";

const standin = withStandin();
const code = "CenAusten01";
const ask = (url: string, headers: Record<string, string> = { "user-agent": "a program" }) => send(url, headers);
const headersOf = (url: string) => (url.includes("/embed") ? frame : navigation);

describe("every address of a reel answers", () => {
  const direct = urlShapes.filter((shape) => !shape.startsWith("share"));
  test.each(direct)("%s with a page about it", async (shape) => {
    const url = standin().urlOf(code, shape);
    const answer = await ask(url, headersOf(url));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain("Jane Austen being polite");
  });

  test("a share link tells a browser nothing", async () => {
    const answer = await ask(standin().urlOf(code, "share"), { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(code);
  });

  test.each(["/", ""])("with %j at its end", async (end) => {
    for (const path of [`/reel/${code}`, `/share/p/BAnobodyHas`, `/tv/${code}/embed`])
      expect((await ask(`${standin().origin}${path}${end}`)).status).toBe(path.startsWith("/share") ? 404 : 200);
  });
});

test("what is not there is not found, and case counts", async () => {
  for (const path of ["/stories/a/1/", "/api/v1/oembed/", "/graphql"])
    expect((await ask(standin().origin + path)).status).toBe(404);
  for (const path of ["/reel/CnobodyKnow/", `/reel/${code.toLowerCase()}/`, "/explore/"])
    expect((await ask(standin().origin + path, navigation)).text).toContain("this page isn't available");

  expect(() => standin().urlOf("CnobodyKnow")).toThrow("CnobodyKnow");
});

test.each(["CenAusten01", "CfmMarkupCa", "CfmEmojiRtl", "CfmLongCapt"])(
  "the embed page of %s carries the caption unharmed",
  async (each) => {
    const page = (await ask(standin().urlOf(each, "embedCaptioned"), frame)).text;
    const media = embedMediaOf(page)!;
    const caption = standin().reels.find((reel) => reel.code === each)?.caption;
    expect(media.edge_media_to_caption.edges[0].node.text).toBe(caption);
    expect(page).not.toContain("<script>alert(1)");
    expect(page.split("</script>")).toHaveLength(2);
  },
);

test.each(["private", "privateShortCode", "ageGated", "regionGated", "deleted"])(
  "the pages of a post that is %s say nothing of it",
  async (kind) => {
    const each = codeOfKind(standin(), kind);
    const { status, text } = await ask(standin().urlOf(each), navigation);
    expect(status).toBe(200);
    expect(text).not.toMatch(/senseandsensibility|amiable|\.mp4/);
    expect((await ask(standin().urlOf(each, "embed"), frame)).text).toContain("EmbedIsBroken");
  },
);
