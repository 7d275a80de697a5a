import { expect, test } from "vitest";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { press } from "../billing/payer.ts";
import { rest } from "../harness/rest.ts";
import { sixteenReels } from "../reports/golden.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";

const service = serviceOfTests({ transcriber: createGatedTranscriber() });

const newReel = (): string => service.newReel({ handle: "cook.daily" });

const usage = async (person: SignedIn) => {
  const { plan, transcriptions, posts } = (await person.api("getUsage")).body;
  return { plan, units: transcriptions.used, limit: transcriptions.limit, posts: posts.used };
};

const transcribe = async (person: SignedIn, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1)
    expect((await person.api("transcribeReel", { url: newReel() })).status).toBe(200);
};

const leave = async (person: SignedIn, email: string): Promise<void> => {
  expect((await person.api("deleteAccount", { confirm: email })).status).toBe(200);
};

test("who deletes the account and comes back has used what was used before", async () => {
  const email = "again@example.com";
  const first = await signIn(service, { email });
  await transcribe(first, 3);
  expect((await first.api("importReport", sixteenReels)).status).toBe(200);
  const { secret } = (await first.api("createKey", { name: "Notebook" })).body;
  const byKey = await rest(service.url, "/transcribe", { method: "POST", key: secret, body: { url: newReel() } });
  expect(byKey.status).toBe(200);
  expect((await first.api("claimBioHandle", { handle: "cups.and.more" })).status).toBe(200);
  const free = { plan: "free", units: 3, limit: 10, posts: 16 };
  expect(await usage(first)).toEqual(free);
  await leave(first, email);

  const bystander = await signIn(service, { email: "new@example.com" });
  expect(await usage(bystander)).toEqual({ ...free, units: 0, posts: 0 });
  expect((await bystander.api("claimBioHandle", { handle: "cups.and.more" })).body.error.message).toContain("is taken");

  const second = await signIn(service, { email });
  expect(second.accountId).not.toBe(first.accountId);
  expect(await usage(second)).toEqual(free);
  const { secret: newSecret } = (await second.api("createKey", { name: "Notebook" })).body;
  expect((await rest(service.url, "/usage", { key: newSecret })).body.transcriptions).toMatchObject({ used: 1 });

  const paying = (await second.api("startCheckout", { plan: "hobby" })).body.url;
  await press(paying, "pay");
  await transcribe(second, 2);
  expect(await usage(second)).toMatchObject({ plan: "hobby", units: 2, limit: 250 });
  await leave(second, email);

  const third = await signIn(service, { email });
  expect(await usage(third)).toEqual(free);
  await transcribe(third, 7);
  const refused = await third.api("transcribeReel", { url: newReel() });
  expect([refused.status, refused.body.error.code]).toEqual([403, "limitReached"]);
  await leave(third, email);
  expect(await usage(await signIn(service, { email }))).toEqual({ ...free, units: 10 });
  expect(await usage(bystander)).toEqual({ ...free, units: 0, posts: 0 });
  expect(service.faults).toEqual([]);
});
