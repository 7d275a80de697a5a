import { expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({
  transcriber: null,
  platformIntervalSeconds: 0.3,
});

/** Has the platform asked where a share link leads, which leads nowhere. */
const follow = async (key: string, signal?: AbortSignal) => {
  const link = `${service.standin.origin}/share/reel/BAnobody01/`;
  const call = { key, ...(signal && { signal }) };
  const { headers } = await rest(service.url, `/scripts?url=${encodeURIComponent(link)}`, call);
  return headers.get("x-error-reason");
};

test("a reel's own link makes no request, and costs no platform tokens", async () => {
  const { key } = await service.createCaller();
  const url = encodeURIComponent(service.newReel());
  for (let count = 0; count < 70; count += 1)
    expect((await rest(service.url, `/scripts?url=${url}`, { key })).status).toBe(200);
  expect(service.standin.counters.total).toBe(0);
});

test("while one account floods the platform, another's share links are followed", async () => {
  const [greedy, quiet] = await Promise.all([service.createCaller(), service.createCaller()]);
  const gone = new AbortController();
  const flood = Array.from({ length: 100 }, () => follow(greedy.key, gone.signal).catch(() => undefined));
  await Promise.race(flood);
  const followed: (string | null)[] = [];
  while (followed.length < 8) followed.push(await follow(quiet.key));
  expect(followed).toEqual(Array.from({ length: 8 }, () => "shareLinkDead"));
  gone.abort();
  const reasons = await Promise.all(flood);
  // Some have no turn at the platform in time, or are more than may wait for their answers.
  expect(reasons.some((reason) => reason === "platformBusy" || reason === "tooManyAtATime")).toBe(true);
});
