import { allDoors, bundledSpeech } from "@reelscript/platform-standin";
import { expect, onTestFinished, test } from "vitest";
import { publicPlatforms } from "../../src/adapters/platforms/platforms.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { recordedYtDlp } from "../harness/recorded-ytdlp.ts";
import { rest, transcribeLater, used } from "../harness/rest.ts";
import { serviceOfTest, type TestService } from "../harness/start-test-service.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const folder = directoryOfTests();
const speech = bundledSpeech().find(({ language, synthesized }) => language === "en" && !synthesized)!;
const minute = 60_000;

const read = async ({ url }: TestService, key: string, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await rest(url, `/transcriptions/${id}`, { key })).body));

/** Lets time pass until all of them are done: slowly while some are worked on, whose leases must not end by it. */
async function untilDone(service: TestService, key: string, ids: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const isInWork = (await read(service, key, ids)).some(({ status }) => status === "running");
        service.clock.advance(isInWork ? 1_000 : minute);
        return (await read(service, key, ids)).map(({ status, error }) => (error === undefined ? status : error));
      },
      { interval: 500, timeout: 40_000 },
    )
    .toEqual(ids.map(() => "done"));
}

test("reels that were never tried say that they wait for the platform, and others don't", async () => {
  const service = await serviceOfTest({ transcriber: createGatedTranscriber(), outageSeconds: 3_600 });
  service.standin.setWall({ name: "serverError", doors: allDoors });
  onTestFinished(() => service.standin.setWall(undefined));
  const { key } = await service.createCaller({ plan: "hobby" });
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) ids.push(await transcribeLater(service.url, key, service.newReel()));
  const states = async () => (await read(service, key, ids)).map(({ waitingFor }) => waitingFor ?? "none");
  // At times one of them is being tried again.
  await expect.poll(async () => (await states()).filter((one) => one === "platform").length).toBeGreaterThan(4);
  const transcriptions = (await rest(service.url, "/transcriptions", { key })).body.transcriptions;
  expect(
    transcriptions.filter(({ waitingFor }: { waitingFor?: string }) => waitingFor === "platform").length,
  ).toBeGreaterThan(4);
  service.standin.setWall(undefined);
  await untilDone(service, key, ids);
  expect(await used(service.url, key)).toBe(6);
});

test("reels wait while the platform limits yt-dlp, and are transcribed afterward", async () => {
  const names = ["aaaaaaaaaaA", "bbbbbbbbbbA", "ccccccccccA"];
  const complaint = "Unable to download API page: HTTP Error 429: Too Many Requests (caused by <HTTPError 429>)";
  const record = (isRefused: boolean) =>
    recordedYtDlp(
      folder,
      names.map((id) => ({ id, seconds: 9, media: speech.file, ...(isRefused && { complaint }) })),
    );
  const service = await serviceOfTest({
    transcriber: createGatedTranscriber(),
    outageSeconds: 3_600,
    platforms: publicPlatforms,
    ytDlp: await record(true),
  });
  const { key } = await service.createCaller({ plan: "hobby" });
  const ids: string[] = [];
  for (const name of names) ids.push(await transcribeLater(service.url, key, `https://www.youtube.com/shorts/${name}`));
  const waiting = async () => (await read(service, key, ids)).filter(({ waitingFor }) => waitingFor === "platform");
  await expect.poll(async () => (await waiting()).length).toBe(3);
  expect((await read(service, key, ids)).map(({ status }) => status)).not.toContain("failed");
  await record(false);
  await untilDone(service, key, ids);
});

test("a wall that hides one reel from yt-dlp fails that reel only", async () => {
  const ytDlp = await recordedYtDlp(folder, [
    { id: "ddddddddddA", seconds: 9, complaint: "Unable to download webpage: HTTP Error 403: Forbidden" },
    { id: "eeeeeeeeeeA", seconds: 9, media: speech.file },
  ]);
  const service = await serviceOfTest({
    transcriber: createGatedTranscriber(),
    outageSeconds: 3_600,
    platforms: publicPlatforms,
    ytDlp,
  });
  const { key } = await service.createCaller({ plan: "hobby" });
  const ids: string[] = [];
  for (const name of ["ddddddddddA", "eeeeeeeeeeA"])
    ids.push(await transcribeLater(service.url, key, `https://www.youtube.com/shorts/${name}`));
  await expect
    .poll(async () => (await read(service, key, ids)).map(({ status }) => status))
    .toEqual(["failed", "done"]);
});
