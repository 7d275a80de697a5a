import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { startPlatformStandin, type PlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import {
  lackingForRoad,
  lackingForYtDlp,
  mediaHost,
  startPlatformRoad,
  ytDlpForRoad,
  type PlatformRoad,
} from "../harness/start-platform-road.ts";
import { startProgram } from "../harness/start-program.ts";
import { temporaryPlace } from "../harness/temporary-place.ts";

describe.skipIf(lackingForRoad)(`the program, the platform's names and a proxy`, { timeout: 240_000 }, () => {
  let folder: string;
  let standin: PlatformStandin;
  let road: PlatformRoad;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(temporaryPlace, "reelscript-by-name-"));
    standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
    road = await startPlatformRoad(standin, folder);
  });
  afterAll(async () => {
    await road.close();
    await standin.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function transcribed(environment: Record<string, string>): Promise<void> {
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
      const url = /REST\s+(\S+)\/api\/v1/.exec(program.printed())?.[1] ?? expect.fail(program.printed());
      const key = /your key\s+(svc_sk_\w{49})/.exec(program.printed())?.[1] ?? expect.fail(program.printed());
      const body = { url: "https://www.instagram.com/reel/CenAmiable1/" };
      const answer = await rest(url, "/transcribe", { key, body });
      expect(answer, program.printed()).toMatchObject({
        status: 200,
        body: { transcript: expect.stringMatching(/amiable/i), language: "en" },
      });
      expect(new Set(road.tunnels)).toEqual(new Set(["www.instagram.com:443", `${mediaHost}:443`]));
      expect(program.printed()).not.toContain("secret");
    } finally {
      await program.end("SIGKILL");
    }
  }

  test("our own ways bring a reel with one page and its sound", async () => {
    await transcribed({ SOURCES: "platform" });
    expect(standin.counters.snapshot()).toMatchObject({ page: 1, media: 1 });
  });

  test.skipIf(lackingForYtDlp)(
    `the real yt-dlp brings it${lackingForYtDlp ? ` (skipped: ${lackingForYtDlp})` : ""}`,
    async () => {
      await transcribed({ SOURCES: "ytdlp", YTDLP_PATH: await ytDlpForRoad(road, folder) });
      expect(standin.counters.snapshot()).toMatchObject({ home: 1, ruling: 1, graphql: 1, page: 1, media: 1 });
    },
  );
});
