import { bundledSpeech } from "@reelscript/platform-standin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publicPlatforms } from "../../src/adapters/platforms/platforms.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { recordedYtDlp } from "../harness/recorded-ytdlp.ts";
import { type Answer, rest, transcribe, used } from "../harness/rest.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const speech = bundledSpeech().find(({ language, synthesized }) => language === "en" && !synthesized)!;
const outcomeOf = ({ status, headers }: Answer) => [status, headers.get("x-error-reason")];
const short = "dQw4w9WgXcQ";

describe("reels of other platforms", () => {
  const folder = directoryOfTests();
  let service: TestService;

  beforeAll(async () => {
    const ytDlp = await recordedYtDlp(folder, [
      { id: short, seconds: 14, media: speech.file },
      { id: "aaaaaaaaaaA", seconds: 181 },
      { id: "bbbbbbbbbbA", seconds: 0, isLive: true },
      { id: "ccccccccccA", seconds: 9, complaint: "Sign in to confirm you’re not a bot. Use --cookies" },
      {
        id: "ddddddddddA",
        seconds: 9,
        complaint: "Private video. Sign in if you've been granted access to this video",
      },
    ]);
    service = await startTestService({ platforms: publicPlatforms, ytDlp });
  });
  afterAll(() => service.close());

  test("a Short becomes a script, the same one for every link", async () => {
    const { key } = await service.createCaller();
    const first = await transcribe(service.url, key, `https://youtu.be/${short}?si=x`);
    expect(first).toMatchObject({ status: 200, body: { cached: false, language: "en", usage: { used: 1 } } });
    const again = await transcribe(service.url, key, `https://www.youtube.com/watch?v=${short}`);
    expect(again).toMatchObject({ status: 200, body: { cached: true, transcript: first.body.transcript } });
    const written = [
      `youtube.com/shorts/${short}`,
      `https://www.youtube.com./embed/${short}%E2%80%8B`,
      `https://l.facebook.com/l.php?u=${encodeURIComponent(`https://youtu.be/${short}`)}`,
    ];
    const { call, close } = await connectAgent(service.url, key);
    for (const url of written) {
      expect(await transcribe(service.url, key, url), url).toMatchObject({ status: 200, body: { cached: true } });
      expect(await call("transcribe_reel", { url }), url).toMatchObject({ data: { cached: true } });
      const list = await rest(service.url, `/scripts?url=${encodeURIComponent(url)}`, { key });
      expect(list.body, url).toMatchObject({ total: 1 });
    }
    await close();
    const { body } = await rest(service.url, "/scripts?account=Lena.Bakes", { key });
    expect(body.scripts).toMatchObject([
      {
        reelUrl: `https://www.youtube.com/shorts/${short}`,
        account: "lena.bakes",
        caption: "Nine loaves",
        views: 1_284_903,
      },
    ]);
    const resolved = await rest(service.url, `/reels/resolve?url=https://m.youtube.com/shorts/${short}`, { key });
    expect(resolved.body).toMatchObject({
      platform: "youtube",
      author: { handle: "lena.bakes", displayName: "Lena Bakes" },
      dimensions: { width: 1080, height: 1920 },
      durationSeconds: 14,
      transcript: { cached: true, cost: 0 },
    });
  });

  test.each([
    ["a video of more than three minutes", "https://youtu.be/aaaaaaaaaaA", 422, "videoTooLong"],
    ["a live one", "https://www.youtube.com/watch?v=bbbbbbbbbbA", 422, "videoTooLong"],
    ["one that a wall hides", "https://www.youtube.com/shorts/ccccccccccA", 502, "platformRefused"],
    ["a private one", "https://www.youtube.com/shorts/ddddddddddA", 404, "reelPrivate"],
  ])("%s is refused by name, and costs nothing", async (_, url, status, reason) => {
    const { key } = await service.createCaller();
    expect(outcomeOf(await transcribe(service.url, key, url))).toEqual([status, reason]);
    const resolved = await rest(service.url, `/reels/resolve?url=${encodeURIComponent(url)}`, { key });
    expect(outcomeOf(resolved)).toEqual([status, reason]);
    expect(await used(service.url, key)).toBe(0);
  });
});
