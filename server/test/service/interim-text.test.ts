import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SpeechNotRecognized } from "../../src/recognition/recognition-errors.ts";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { connectExtension } from "../harness/connect-extension.ts";
import { followStream } from "../harness/follow-stream.ts";
import { rest, used } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { createSpeakingTranscriber } from "../harness/speaking-transcriber.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

const first = "Salt comes first.";
const second = "Then the water, a little at a time.";

/** With PostgreSQL where there is one (TEST_DATABASE_URL): its words go through the server, as those of several processes. */
describe("words while they are recognized", () => {
  const transcriber = createSpeakingTranscriber();
  const closers: (() => Promise<unknown>)[] = [];
  let service: TestService;
  beforeAll(async () => {
    const database = testDatabaseUrl === undefined ? undefined : await migratedDatabase(testDatabaseUrl);
    if (database) closers.push(database.drop);
    service = await startTestService({
      transcriber,
      rateLimits: { transcribe: 1_000 },
      ...(database && { databaseUrl: database.databaseUrl }),
    });
    closers.push(() => service.close());
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  /** A reel of a new caller that the transcriber has in hand. */
  async function begin() {
    const { key, ...caller } = await service.createCaller();
    const reel = service.standin.addReel({ bytes: Buffer.from("not looked at") });
    const url = service.standin.urlOf(reel.code);
    const answer = await rest(service.url, "/transcribe", { key, body: { url }, headers: { prefer: "respond-async" } });
    expect(answer.status).toBe(202);
    await transcriber.inHand();
    return { ...caller, key, url, id: answer.body.id as string };
  }
  const follow = (key: string, id: string) => followStream(service.url, key, id);

  test("come passage by passage, each once, and latecomers get the current ones", async () => {
    const { key, id } = await begin();
    const early = await follow(key, id);
    await expect.poll(early.words).toBe("");
    transcriber.say(first);
    await expect.poll(early.words).toBe(first);
    transcriber.say(second, "es");
    await expect.poll(early.words).toBe(`${first} ${second}`);
    expect(early.last()?.interim).toEqual({ from: 1, passages: [{ language: "es", text: second }] });
    expect(early.sentCharacters(), "nothing is sent twice").toBe(first.length + second.length);

    const late = await follow(key, id);
    await expect.poll(late.words).toBe(`${first} ${second}`);
    const looked = await rest(service.url, `/transcriptions/${id}`, { key });
    expect(looked.body, "only a stream has them").not.toHaveProperty("interim");

    transcriber.finish();
    await Promise.all([early.ended, late.ended]);
    for (const { last } of [early, late]) {
      expect(last()).toMatchObject({ status: "done", result: { transcript: `${first} ${second}` } });
      expect(last()).not.toHaveProperty("interim");
    }
  });

  test("are drafts until checked: each replaces the last, and may vanish", async () => {
    const { key, id } = await begin();
    const stream = await follow(key, id);
    const draft = () => stream.last()?.interim?.draft;
    for (const text of ["Salt", "Salt comes", "Salt comes thirst."]) {
      transcriber.write(text);
      await expect.poll(draft).toEqual({ language: "en", text });
    }
    expect(stream.words()).toBe("");
    transcriber.write();
    await expect.poll(() => stream.last()?.interim).toEqual({ from: 0, passages: [] });
    transcriber.write("Salt comes fir");
    await expect.poll(() => draft()?.text).toBe("Salt comes fir");
    const late = await follow(key, id);
    await expect.poll(() => late.last()?.interim?.draft?.text).toBe("Salt comes fir");
    transcriber.say(first);
    await expect.poll(stream.words).toBe(first);
    expect(stream.last()?.interim, "a passage ends it").not.toHaveProperty("draft");
    transcriber.write("Then the");
    await expect.poll(() => stream.last()?.interim).toMatchObject({ from: 1, draft: { text: "Then the" } });
    transcriber.finish();
    await stream.ended;
    expect(stream.last()).toMatchObject({ status: "done", result: { transcript: first } });
  });

  test("are in no library, search or cache, and visible to nobody else", async () => {
    const { key, url, id } = await begin();
    const other = await service.createCaller();
    const stream = await follow(key, id);
    transcriber.say("Unmistakable quokka.");
    await expect.poll(stream.words).toBe("Unmistakable quokka.");
    expect((await rest(service.url, "/scripts?query=quokka", { key })).body.total).toBe(0);
    expect(await rest(service.url, "/transcribe", { key: other.key, body: { url } })).toMatchObject({ status: 409 });
    expect((await follow(other.key, id)).status).toBe(404);
    transcriber.finish();
    await stream.ended;
    expect(await used(service.url, key)).toBe(1);
  });

  test("are discarded when the reel is finally refused, for free", async () => {
    const { key, id } = await begin();
    const stream = await follow(key, id);
    transcriber.say(first);
    await expect.poll(stream.words).toBe(first);
    transcriber.fail(new SpeechNotRecognized("en", "speaking"));
    await stream.ended;
    expect(stream.last()).toMatchObject({ status: "failed", error: { code: "invalidRequest" } });
    expect(JSON.stringify(stream.last())).not.toContain(first);
    expect(await used(service.url, key)).toBe(0);
    expect((await rest(service.url, "/scripts", { key })).body.total).toBe(0);
  });

  test("of sent media are hidden until the end", async () => {
    const person = await signIn(service, { email: `sender-${randomUUID()}@example.com` });
    const { token } = await connectExtension(service, person);
    const url = service.newReel();
    const answer = await fetch(`${service.url}/app/api/reel-media?${new URLSearchParams({ url })}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "video/mp4", origin: "chrome-extension://abc" },
      body: "media of the reel",
    });
    const { transcription } = (await answer.json()) as { transcription: { id: string } };
    await transcriber.inHand();
    const { secret: key } = (await person.api("createKey", { name: "k" })).body;
    const stream = await follow(key, transcription.id);
    for (const text of [first, second]) {
      const before = stream.last()?.progress ?? 0;
      transcriber.write(text);
      transcriber.say(text);
      await expect.poll(() => stream.last()?.progress).toBeGreaterThan(Math.max(before, 0.3));
    }
    expect(stream.words()).toBe("");
    transcriber.fail(new SpeechNotRecognized("en", "speaking"));
    await stream.ended;
    expect(stream.last()).toMatchObject({ status: "failed", error: { code: "invalidRequest" } });
    expect(stream.sentCharacters()).toBe(0);
  });

  test("of a first try vanish when another one begins", async () => {
    const { key, id } = await begin();
    const stream = await follow(key, id);
    transcriber.say("Of the first try.");
    transcriber.say("More of it.");
    await expect.poll(stream.words).toBe("Of the first try. More of it.");
    transcriber.fail(new Error("the recognizer broke"));
    await expect.poll(stream.words).toBe("");
    await transcriber.inHand();
    transcriber.say("Of the second.");
    await expect.poll(stream.words).toBe("Of the second.");
    transcriber.finish();
    await stream.ended;
    expect(stream.last()).toMatchObject({ status: "done", result: { transcript: "Of the second." } });
    expect(service.faults.splice(0)).toMatchObject([{ error: { message: "the recognizer broke" } }]);
  });

  test("go with a reel that is taken down", async () => {
    const { key, url, id } = await begin();
    const stream = await follow(key, id);
    transcriber.say(first);
    await expect.poll(stream.words).toBe(first);
    const mediaId = service.standin.reels.find(({ code }) => url.includes(code))!.mediaId;
    await service.store.moderation.takeDown(
      { platform: "standin", mediaId, shortcode: "", url },
      { by: "an operator", reason: "asked to", now: service.clock.now() },
    );
    await stream.ended;
    expect(stream.last()).toMatchObject({ status: "failed", error: { reason: "reelTakenDown" } });
    expect(JSON.stringify(stream.last())).not.toContain(first);
  });
});
