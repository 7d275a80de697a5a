import { expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();
const limit = 2;
const service = serviceOfTests({
  transcriber: gate,
  queueLimitPerAccount: limit,
  rateLimits: { transcribe: 1_000 },
});

const begin = (key: string, url = service.newReel()) =>
  rest(service.url, "/transcribe", { key, body: { url }, headers: { prefer: "respond-async" } });
async function running(count: number, keys: readonly string[], ids: readonly string[]): Promise<void> {
  async function countRunning(): Promise<number> {
    const answers = await Promise.all(
      ids.map((id, index) => rest(service.url, `/transcriptions/${id}`, { key: keys[index]! })),
    );
    return answers.filter(({ body }) => body.status === "running").length;
  }
  await expect.poll(countRunning).toBe(count);
}

test("an account's waiting reels are limited; others and the cache are served", async () => {
  const greedy = await service.createCaller();
  const second = await greedy.createKey();
  const cached = service.newReel();
  expect((await rest(service.url, "/transcribe", { key: greedy.key, body: { url: cached } })).status).toBe(200);

  gate.close();
  const inHand = [await begin(greedy.key), await begin(greedy.key)];
  await running(
    2,
    [greedy.key, greedy.key],
    inHand.map(({ body }) => body.id),
  );
  const waiting = [await begin(greedy.key), await begin(second.key)];
  expect([...inHand, ...waiting].map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  for (const key of [greedy.key, second.key]) {
    const before = await rest(service.url, "/usage", { key });
    const refused = await begin(key);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
    expect(refused.body.error.message).toContain(`${limit} reels waiting`);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const after = await rest(service.url, "/usage", { key });
    const remaining = [before, after].map(({ headers }) => Number(headers.get("ratelimit-remaining")));
    expect(remaining[0]! - remaining[1]!, "the call counts").toBe(2);
  }
  const held = await Promise.all(
    [1, 2].map((slot) => service.store.allowances.read({ accountId: greedy.accountId, slot }, "lifetime")),
  );
  expect(
    held.reduce((sum, one) => sum + one.held, 0),
    "nothing more is held",
  ).toBe(inHand.length + waiting.length);

  expect(await begin(greedy.key, cached)).toMatchObject({ status: 200, body: { cached: true } });
  expect((await begin((await service.createCaller()).key)).status).toBe(202);
  gate.open();
  await expect.poll(() => service.store.transcriptions.queueLength()).toBe(0);
});

test("a person at the dashboard has the same limit", async () => {
  const person = await signIn(service, { email: "greedy@example.com" });
  gate.close();
  const answers = Array.from({ length: limit + 3 }, () => person.api("transcribeReel", { url: service.newReel() }));
  const first = await Promise.race(answers);
  expect(first).toMatchObject({ status: 429, body: { error: { code: "rateLimited" } } });
  expect(first.body.error.message).toContain(`${limit} reels waiting`);
  gate.open();
  for (const { status } of await Promise.all(answers)) expect([200, 429]).toContain(status);
});

test("a quiet account comes next, however many others wait", async () => {
  const [greedy, other, quiet] = await Promise.all([
    service.createCaller(),
    service.createCaller(),
    service.createCaller(),
  ]);
  gate.close();
  const ids: string[] = [];
  const keys: string[] = [];
  for (const { key } of [greedy, greedy, other, other, greedy, greedy, other]) {
    const { body } = await begin(key);
    ids.push(body.id);
    keys.push(key);
    if (ids.length === 2) await running(2, keys, ids);
  }
  const { body } = await begin(quiet.key);
  await expect.poll(() => gate.waiting).toBe(2);
  // The transcriptions in hand end, and the next ones stay in hand.
  gate.open();
  gate.close();
  const statusOf = async (key: string, id: string): Promise<string> =>
    (await rest(service.url, `/transcriptions/${id}`, { key })).body.status;
  await expect.poll(() => statusOf(quiet.key, body.id)).toBe("running");
  const others = await Promise.all(ids.map((id, index) => statusOf(keys[index]!, id)));
  // Before it came what was in hand, and at most what other quiet accounts had first in their lines.
  expect(others.filter((status) => status !== "queued").length).toBeLessThanOrEqual(4);
  gate.open();
  await expect.poll(() => service.store.transcriptions.queueLength()).toBe(0);
});
