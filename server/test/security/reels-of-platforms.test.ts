import { afterAll, beforeAll, expect, test } from "vitest";
import { publicPlatforms } from "../../src/adapters/platforms/platforms.ts";
import { readReelUrl } from "../../src/adapters/platforms/reel-locator.ts";
import { recognizerKey } from "../../src/recognition/recognizer-of.ts";
import { anAllowance, ask, mustClaim, transcriptOf } from "../database/conformance/fixtures.ts";
import { signIn } from "../harness/sign-in.ts";
import { startReceiver, type Receiver } from "../harness/start-receiver.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { addWebhook } from "../harness/webhooks.ts";
import { operatorOfTests } from "../harness/open-operator.ts";

const service = serviceOfTests({ platforms: publicPlatforms, transcriber: null });
const operator = operatorOfTests(service);
let receiver: Receiver;
beforeAll(async () => void (receiver = await startReceiver()));
afterAll(() => receiver.close());

test.each([
  ["Instagram", "https://www.instagram.com/reel/DLlGZiCOBQ0/?igsh=x", "https://instagram.com/p/DLlGZiCOBQ0"],
  [
    "TikTok",
    "https://www.tiktok.com/@a.b/video/7106798200794926362?_r=1",
    "https://m.tiktok.com/v/7106798200794926362",
  ],
  ["YouTube", "https://youtu.be/dQw4w9WgXcQ?si=x", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
])("any link of %s shares, announces, refuses and takes down one reel", async (label, link, other) => {
  const { store, clock } = service;
  const parsedLink = readReelUrl(link, publicPlatforms);
  const reel = parsedLink.kind === "reel" ? parsedLink.address : expect.fail(parsedLink.kind);
  const person = await signIn(service, { email: `${reel.platform}@example.com` });
  await addWebhook(person, receiver.url);
  const begin = async () => {
    expect(await ask(store, reel, anAllowance(person.accountId))).toMatchObject({ kind: "started" });
    return mustClaim(store);
  };
  expect(await store.transcriptions.complete(await begin(), transcriptOf(reel), true, clock.now())).toBe(true);
  await expect
    .poll(() => receiver.events.map(({ body }) => JSON.parse(body).data))
    .toContainEqual(expect.objectContaining({ status: "done", reelUrl: reel.url, platform: reel.platform }));
  const transcribed = async (url: string) => {
    const { status, headers, body } = await person.api("transcribeReel", { url });
    return status === 200 ? body.cached : headers.get("x-error-reason");
  };
  expect([await transcribed(link), await transcribed(other)]).toEqual([true, true]);

  const { id } = (await person.api("searchMyScripts", { platform: reel.platform })).body.scripts[0];
  const shared = (await person.api("createShareLink", { id })).body.link.url;
  const page = await (await fetch(shared)).text();
  expect(page).toContain(label);
  expect(page).toContain(`href="${reel.url}"`);
  const picture = `${service.url}/media/thumbnails/${reel.platform}/${reel.mediaId}.webp`;
  await store.thumbnails.keep(reel, { bytes: Buffer.from("picture"), width: 9, height: 16 }, clock.now());
  expect((await fetch(picture)).status).toBe(200);

  const decide = (what: string, url: string) =>
    operator.operate("takedown", what, url, "--reason", "request of its author", "--by", "ada");
  expect(await decide("add", other)).toMatchObject({ code: 0, stderr: "" });
  for (const gone of [shared, picture]) expect((await fetch(gone)).status, gone).toBe(404);
  expect([await transcribed(link), await transcribed(other)]).toEqual(["reelTakenDown", "reelTakenDown"]);
  expect((await person.api("searchMyScripts")).body.total).toBe(0);

  expect(await decide("lift", link)).toMatchObject({ code: 0 });
  const failure = {
    code: "invalidRequest",
    reason: "unsupportedLanguage",
    status: 422,
    message: "Not that language.",
  } as const;
  const refuse = {
    model: recognizerKey({ model: "none", revision: 1 }),
    until: new Date(clock.now().getTime() + 3_600_000),
  };
  expect(await store.transcriptions.fail(await begin(), failure, { now: clock.now(), refuse })).toBe(true);
  expect([await transcribed(link), await transcribed(other)]).toEqual(["unsupportedLanguage", "unsupportedLanguage"]);
});
