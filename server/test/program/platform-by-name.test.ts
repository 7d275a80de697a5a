import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, rest, transcribe, used } from "../harness/rest.ts";
import {
  lackingForRoad,
  lackingForYtDlp,
  mediaHost,
  startPlatformRoad,
  ytDlpForRoad,
  type PlatformRoad,
} from "../harness/start-platform-road.ts";
import { noModel, startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTest, directoryOfTests } from "../harness/temporary-directory.ts";

const outcomeOf = ({ status, headers }: Answer) => [status, headers.get("x-error-reason")];
const spoken = { status: 200, body: { transcript: expect.stringMatching(/amiable/i), language: "en" } };

describe.skipIf(lackingForRoad)(`the program, the platform's names and a proxy`, () => {
  const folder = directoryOfTests();
  let standin: PlatformStandin;
  let road: PlatformRoad;

  beforeAll(async () => {
    standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
    road = await startPlatformRoad(standin, folder);
  });
  afterAll(async () => {
    await road.close();
    await standin.close();
  });

  async function onRoad(environment: Record<string, string>, look: (program: Program) => Promise<void>): Promise<void> {
    road.tunnels.length = 0;
    standin.counters.reset();
    const program = await startProgram({
      DATA_DIR: await mkdtemp(path.join(folder, "data-")),
      PLATFORM_PROXY: road.proxy,
      PLATFORM_INTERVAL_SECONDS: "0",
      NODE_EXTRA_CA_CERTS: road.authority,
      ...environment,
    });
    try {
      await look(program);
      expect(program.printed()).not.toContain("secret");
    } finally {
      await program.end("SIGKILL");
    }
  }

  const transcribed = (
    environment: Record<string, string>,
    look: (program: Program) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> =>
    onRoad(environment, async (program) => {
      const { url, key } = program;
      const answer = await transcribe(url, key, "https://www.instagram.com/reel/CenAmiable1/");
      expect(answer, program.printed()).toMatchObject(spoken);
      expect(new Set(road.tunnels)).toEqual(new Set(["www.instagram.com:443", `${mediaHost}:443`]));
      await look(program);
    });

  test("our own ways bring a reel with one page and its sound", async () => {
    await transcribed({ SOURCES: "platform" }, async ({ url, key }) => {
      expect(standin.counters.snapshot()).toMatchObject({ page: 1, media: 1 });
      const behindLogin = await transcribe(url, key, "https://www.instagram.com/share/reel/BAlogin002");
      expect(behindLogin, "a login page says where it leads then").toMatchObject({ body: { cached: true } });
    });
  });

  test.skipIf(lackingForYtDlp)(
    `the real yt-dlp brings it${lackingForYtDlp ? ` (skipped: ${lackingForYtDlp})` : ""}`,
    async () => {
      await transcribed({ SOURCES: "ytdlp", YTDLP_PATH: await ytDlpForRoad(road, folder) });
      expect(standin.counters.snapshot()).toMatchObject({ home: 1, ruling: 1, graphql: 1, page: 1, media: 1 });
    },
  );

  test.skipIf(lackingForYtDlp)("short links of TikTok are followed, and become one script", async () => {
    const reel = standin.reels.find(({ code }) => code === "CenAmiable1")!;
    const code = path.basename(standin.urlOf(reel.code, "share"));
    const ytDlp = await ytDlpForRoad(road, folder);
    await onRoad({ SOURCES: "platform,ytdlp", YTDLP_PATH: ytDlp }, async (program) => {
      const { url, key } = program;
      const first = await transcribe(url, key, `https://vm.tiktok.com/${code}/`);
      expect(first, program.printed()).toMatchObject({ ...spoken, body: { ...spoken.body, cached: false } });
      expect(new Set(road.tunnels)).toEqual(
        new Set(["vm.tiktok.com:443", "www.tiktok.com:443", "v16-webapp-prime.tiktok.com:443"]),
      );
      for (const link of [`www.tiktok.com/t/${code}/`, `vt.tiktok.com/${code}`, `m.tiktok.com/v/${reel.mediaId}.html`])
        expect(await transcribe(url, key, `https://${link}`), link).toMatchObject({ body: { cached: true } });
      expect(standin.counters.snapshot()).toMatchObject({ share: 3, page: 1, media: 1 });
      expect(await used(url, key)).toBe(1);
      expect((await rest(url, "/scripts?platform=tiktok", { key })).body).toMatchObject({
        total: 1,
        scripts: [
          {
            reelUrl: `https://www.tiktok.com/@_/video/${reel.mediaId}`,
            platform: "tiktok",
            account: reel.owner.username,
            caption: reel.caption,
          },
        ],
      });
      const resolved = await rest(url, `/reels/resolve?url=https://vm.tiktok.com/${code}/`, { key });
      expect(resolved.body, program.printed()).toMatchObject({
        platform: "tiktok",
        thumbnail: { url: `${url}/media/thumbnails/tiktok/${reel.mediaId}.webp` },
        transcript: { cached: true, cost: 0 },
      });
      expect((await fetch(resolved.body.thumbnail.url)).headers.get("content-type")).toBe("image/webp");
      const dead = await transcribe(url, key, "https://vm.tiktok.com/ZMnobody1/");
      expect(outcomeOf(dead)).toEqual([400, "notAReel"]);
    });
  });
});

describe("the program and a platform", () => {
  const need = "need yt-dlp";
  test.each([
    ["without its source says so at the start and 422", {}, 422, "platformNotSetUp", `TikTok and YouTube ${need}`],
    ["that is off says 400", { PLATFORMS: "instagram" }, 400, "platformOff", undefined],
    [
      "without its source is the only one named",
      { PLATFORMS: "tiktok" },
      422,
      "platformNotSetUp",
      `Reels of TikTok ${need}`,
    ],
  ])("%s, and charges nothing", async (_, environment, status, reason, hint) => {
    const program = await startProgram({
      ...noModel,
      DATA_DIR: directoryOfTest(),
      SOURCES: "platform",
      ...environment,
    });
    try {
      const { url, key } = program;
      const resolve = (reel: string) => rest(url, `/reels/resolve?url=${encodeURIComponent(reel)}`, { key });
      const reel = "https://www.tiktok.com/@some.one/video/7106798200794926362";
      expect(outcomeOf(await transcribe(url, key, reel))).toEqual([status, reason]);
      expect(outcomeOf(await resolve(reel))).toEqual([status, reason]);
      expect(await used(url, key)).toBe(0);
      const isAccepted = !("PLATFORMS" in environment) || environment.PLATFORMS !== "tiktok";
      const wrong = await transcribe(url, key, "https://www.instagram.com/somebody/");
      expect(wrong.body.error.message).not.toContain("tiktok");
      expect(wrong.body.error.message.includes("Accepted: https://www.instagram.com/reel/{code}/ or http:")).toBe(
        isAccepted,
      );
      expect((await rest(url, "/overview")).body.reelUrls).toEqual([
        ...(isAccepted ? ["https://www.instagram.com/reel/{code}/"] : []),
        `${program.standin}/reel/{code}/`,
      ]);
      if (hint === undefined) expect(program.printed()).not.toContain(need);
      else expect(program.printed()).toContain(hint);
    } finally {
      await program.end("SIGKILL");
    }
  });
});
