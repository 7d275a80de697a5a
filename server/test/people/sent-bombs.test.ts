import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { bundledSpeech } from "@reelscript/platform-standin";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silenceBomb } from "../../../whisper/test/media/silence-bomb.ts";
import { connectExtension, type ConnectedExtension } from "../harness/connect-extension.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { temporaryPlace } from "../harness/temporary-place.ts";

const run = promisify(execFile);
const hasFfmpeg = await run("ffmpeg", ["-version"]).then(
  () => true,
  () => false,
);
const patience = { timeout: 200_000 };
const maxAudioSeconds = 60;

/** A day of silence in less than 300 kB. */
const longSilence = silenceBomb(86_400);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ maxMediaBytes: 5_000_000, maxAudioSeconds, slots: 2 });
});
afterAll(() => service?.close());

let people = 0;
const aSender = async (): Promise<ConnectedExtension> =>
  connectExtension(service, await signIn(service, { email: `bomber${(people += 1)}@example.com` }));

async function send({ token }: ConnectedExtension, body: Buffer): Promise<{ status: number; id: string }> {
  const { standin } = service;
  const reel = standin.urlOf(standin.addReel({ bytes: Buffer.from("sound") }).code);
  const response = await fetch(`${service.url}/app/api/reel-media?${new URLSearchParams({ url: reel })}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "video/mp4", origin: "chrome-extension://abc" },
    body: new Uint8Array(body),
  });
  const answer = await response.json();
  return { status: response.status, id: answer.transcription?.id };
}

interface Ended {
  readonly status: string;
  readonly error?: { readonly code: string; readonly reason?: string };
  readonly result?: { readonly transcript: string };
  readonly receipt?: { readonly audioSeconds: number; readonly cut: boolean };
}

async function ended({ ask }: ConnectedExtension, id: string): Promise<Ended> {
  let last: Ended | undefined;
  await expect
    .poll(async () => {
      last = (await ask(`/transcriptions/${id}`)).body as Ended;
      return last.status;
    }, patience)
    .toMatch(/done|failed/);
  return last ?? expect.fail("nothing ended");
}

/** A black frame of 144 million pixels in less than a megabyte, and two seconds of a tone. */
async function giantPicture(): Promise<Buffer> {
  const directory = await mkdtemp(path.join(temporaryPlace, "reelscript-bomb-"));
  try {
    const file = path.join(directory, "giant.mp4");
    const picture = ["-f", "lavfi", "-i", "color=black:size=12000x12000:rate=1:duration=1"];
    const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2"];
    const codecs = ["-c:v", "png", "-pix_fmt", "gray", "-c:a", "aac"];
    await run("ffmpeg", ["-v", "error", ...picture, ...sound, ...codecs, file]);
    return await readFile(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function sendAndEnd(sender: ConnectedExtension, body: Buffer): Promise<Ended> {
  const { status, id } = await send(sender, body);
  expect(status).toBe(200);
  return ended(sender, id);
}

describe("small media that unpack to much", () => {
  test("are heard as far as the limit of audio, and others are served meanwhile", patience, async () => {
    expect(longSilence.length).toBeLessThan(300_000);
    const [bombers, honest] = [[await aSender(), await aSender(), await aSender()], await aSender()];
    const before = process.memoryUsage().rss;
    const bombs = Promise.all(bombers.map(async (bomber) => sendAndEnd(bomber, longSilence)));
    const clip = bundledSpeech().find(({ language }) => language === "en")!;
    const heard = await sendAndEnd(honest, await readFile(clip.file));
    expect(heard.result?.transcript.length).toBeGreaterThan(10);
    for (const bomb of await bombs)
      expect(bomb).toMatchObject({
        status: "done",
        result: { transcript: "" },
        receipt: { audioSeconds: maxAudioSeconds, cut: true },
      });
    for (const { ask } of bombers) expect((await ask("/usage")).body.transcriptions.used).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(1_000_000_000);
  });

  test.skipIf(!hasFfmpeg)(
    "have pictures that nobody unpacks (skipped where no ffmpeg makes them)",
    patience,
    async () => {
      const file = await giantPicture();
      expect(file.length).toBeLessThan(1_000_000);
      const before = process.memoryUsage().rss;
      const sender = await aSender();
      const ended = await sendAndEnd(sender, file);
      expect(ended).toMatchObject({ status: "done", receipt: { audioSeconds: expect.closeTo(2, 0) as number } });
      expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
    },
  );
});
