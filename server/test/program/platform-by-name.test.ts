import { mkdtemp } from "node:fs/promises";
import path from "node:path";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { type Answer, rest, transcribe, used } from "../harness/rest.ts";
import {
  lackingForRoad,
  mediaHost,
  startPlatformRoad,
  type PlatformRoad,
} from "../../../scripts/processes/start-platform-road.ts";
import { lackingForYtDlp, ytDlpForRoad } from "../harness/ytdlp-for-road.ts";
import { noModel, startProgram, type Program } from "../harness/start-program.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";
import { directoryOfTest, directoryOfTests } from "../harness/temporary-directory.ts";

const outcomeOf = ({ status, headers }: Answer) => [status, headers.get("x-error-reason")];
const amiable = { status: 200, body: { transcript: expect.stringMatching(/amiable/i), language: "en", cached: false } };
const goodbye = { status: 200, body: { transcript: expect.stringMatching(/bye/i), language: "en", cached: false } };

describe.skipIf(lackingForRoad)(`the program, the platform's names and a proxy`, () => {
  const folder = directoryOfTests();
  const programs: Program[] = [];
  let standin: PlatformStandin;
  let road: PlatformRoad;
  /** It has our own ways and, where there is one, yt-dlp. */
  let program: Program;

  beforeAll(async () => {
    standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
    road = await startPlatformRoad(standin, folder);
    program = await startOnRoad(
      lackingForYtDlp
        ? { SOURCES: "platform" }
        : { SOURCES: "platform,ytdlp", YTDLP_PATH: await ytDlpForRoad(road, folder) },
    );
  });
  beforeEach(() => {
    road.tunnels.length = 0;
    standin.counters.reset();
  });
  afterAll(async () => {
    for (const each of programs) await each.end("SIGKILL");
    await road.close();
    await standin.close();
  });

  async function startOnRoad(environment: Record<string, string>): Promise<Program> {
    const started = await startProgram({
      DATA_DIR: await mkdtemp(path.join(folder, "data-")),
      PLATFORM_PROXY: road.proxy,
      PLATFORM_INTERVAL_SECONDS: "0",
      NODE_EXTRA_CA_CERTS: road.authority,
      ...environment,
    });
    programs.push(started);
    return started;
  }

  const instagramNames = new Set(["www.instagram.com:443", `${mediaHost}:443`]);

  test("our own ways bring a reel with one page and its sound", async () => {
    const { url, key } = program;
    const answer = await transcribe(url, key, "https://www.instagram.com/reel/CenAmiable1/");
    expect(answer, program.printed()).toMatchObject(amiable);
    expect(new Set(road.tunnels)).toEqual(instagramNames);
    const counted = standin.counters.snapshot();
    expect(counted).toMatchObject({ page: 1, media: 1 });
    for (const ofYtDlp of ["home", "ruling", "graphql"]) expect(counted).not.toHaveProperty(ofYtDlp);
    const behindLogin = await transcribe(url, key, "https://www.instagram.com/share/reel/BAlogin002");
    expect(behindLogin, "a login page says where it leads then").toMatchObject({ body: { cached: true } });
  });

  test.skipIf(lackingForYtDlp)(
    `the real yt-dlp brings it${lackingForYtDlp ? ` (skipped: ${lackingForYtDlp})` : ""}`,
    async () => {
      const only = await startOnRoad({ SOURCES: "ytdlp", YTDLP_PATH: await ytDlpForRoad(road, folder) });
      const answer = await transcribe(only.url, only.key, "https://www.instagram.com/reel/CenOneSecon/");
      expect(answer, only.printed()).toMatchObject(goodbye);
      expect(new Set(road.tunnels)).toEqual(instagramNames);
      expect(standin.counters.snapshot()).toMatchObject({ home: 1, ruling: 1, graphql: 1, page: 1, media: 1 });
      await only.end("SIGKILL");
    },
  );

  test.skipIf(lackingForYtDlp)("short links of TikTok are followed, and become one script", async () => {
    const reel = standin.reels.find(({ code }) => code === "CenOneSecon")!;
    const code = path.basename(standin.urlOf(reel.code, "share"));
    const { url, key } = program;
    const before = await used(url, key);
    const first = await transcribe(url, key, `https://vm.tiktok.com/${code}/`);
    expect(first, program.printed()).toMatchObject(goodbye);
    expect(new Set(road.tunnels)).toEqual(
      new Set(["vm.tiktok.com:443", "www.tiktok.com:443", "v16-webapp-prime.tiktok.com:443"]),
    );
    for (const link of [`www.tiktok.com/t/${code}/`, `vt.tiktok.com/${code}`, `m.tiktok.com/v/${reel.mediaId}.html`])
      expect(await transcribe(url, key, `https://${link}`), link).toMatchObject({ body: { cached: true } });
    expect(standin.counters.snapshot()).toMatchObject({ share: 3, page: 1, media: 1 });
    expect(await used(url, key)).toBe(before + 1);
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

  test("the proxy's password is never printed", () => {
    // The tests before have started them.
    for (const { printed } of programs) expect(printed()).not.toContain("secret");
  });
});

describe("a platform that has no source", () => {
  const need = "need yt-dlp";
  const tiktok = "https://www.tiktok.com/@some.one/video/7106798200794926362";
  const instagramUrl = "https://www.instagram.com/reel/{code}/";

  async function answersOf({ url, key }: { readonly url: string; readonly key: string }) {
    const transcribed = outcomeOf(await transcribe(url, key, tiktok));
    const resolved = outcomeOf(await rest(url, `/reels/resolve?url=${encodeURIComponent(tiktok)}`, { key }));
    const wrong = await transcribe(url, key, "https://www.instagram.com/somebody/");
    const { message } = wrong.body.error;
    return {
      transcribed,
      resolved,
      charged: await used(url, key),
      namesTiktok: message.includes("tiktok"),
      namesInstagram: message.includes(`Accepted: ${instagramUrl} or http:`),
      reelUrls: (await rest(url, "/overview")).body.reelUrls,
    };
  }
  const answers = (outcome: [status: number, reason: string], reelUrls: readonly string[]) => ({
    transcribed: outcome,
    resolved: outcome,
    charged: 0,
    namesTiktok: false,
    namesInstagram: reelUrls.includes(instagramUrl),
    reelUrls,
  });

  test.each([
    ["", {}, `TikTok and YouTube ${need}`, [instagramUrl]],
    [", as the only one", { PLATFORMS: "tiktok" }, `Reels of TikTok ${need}`, []],
  ])("is named at the start and answers 422 without a charge%s", async (_, environment, hint, reelUrls) => {
    const settings = { ...noModel, DATA_DIR: directoryOfTest(), SOURCES: "platform", ...environment };
    const program = await startProgram(settings);
    try {
      const all = [...reelUrls, `${program.standin}/reel/{code}/`];
      expect(await answersOf(program)).toEqual(answers([422, "platformNotSetUp"], all));
      expect(program.printed()).toContain(hint);
      if (reelUrls.length === 0)
        expect(outcomeOf(await transcribe(program.url, program.key, instagramUrl))).toEqual([400, "platformOff"]);
    } finally {
      await program.end("SIGKILL");
    }
  });

  test("answers 400 without a charge if it is off", async () => {
    const service = await serviceOfTest({ transcriber: null, platforms: [instagram] });
    const { key } = await service.createCaller();
    const all = [instagramUrl, `${service.standin.origin}/reel/{code}/`];
    expect(await answersOf({ url: service.url, key })).toEqual(answers([400, "platformOff"], all));
  });
});
