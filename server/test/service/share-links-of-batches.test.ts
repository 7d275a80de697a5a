import { expect, onTestFinished, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";

const looksAtATime = 4;

async function start() {
  const gate = createGatedTranscriber();
  gate.open();
  const service = await serviceOfTest({
    transcriber: gate,
    rateLimits: { transcribe: 1_000 },
    repeated: ["advance-batches", "locate-share-links"],
  });
  const shares = service.standin.holdShares();
  onTestFinished(() => shares.release());
  let links = 0;
  const send = async (key: string, urls: readonly string[]): Promise<string> => {
    const answer = await rest(service.url, "/transcriptions", { key, body: { urls } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    return answer.body.id;
  };
  const read = async (key: string, id: string) => (await rest(service.url, `/batches/${id}`, { key })).body;
  return {
    service,
    shares,
    send,
    read,
    /** Share links that lead nowhere. */
    deadLinks: (count: number) =>
      Array.from({ length: count }, () => `${service.standin.origin}/share/reel/BAnobody${(links += 1)}/`),
    /** Moves the clock until the batch is as expected: periodic work runs by it. */
    until: async (key: string, id: string, expected: object): Promise<void> => {
      await expect
        .poll(
          async () => {
            service.clock.advance(1_000);
            return read(key, id);
          },
          { interval: 100 },
        )
        .toMatchObject(expected);
    },
  };
}

test("ten batches of share links at a silent platform delay no other account's batch", async () => {
  const { service, shares, send, read, deadLinks, until } = await start();
  const [greedy, small] = await Promise.all([1, 2].map(() => service.createCaller({ plan: "hobby" })));
  const ids: string[] = [];
  for (let count = 0; count < 10; count += 1) ids.push(await send(greedy!.key, deadLinks(100)));
  await expect
    .poll(() => {
      service.clock.advance(1_000);
      return shares.waiting;
    })
    .toBe(1);

  const reels = await send(small!.key, [service.newReel(), service.newReel(), service.newReel()]);
  await until(small!.key, reels, { status: "finished", counts: { done: 3 } });
  expect(shares.most, "one look of an account at a time").toBe(1);

  // The small account's own share link is looked at beside the greedy one's.
  const code = service.standin.addReel({ bytes: Buffer.from("not looked at") }).code;
  const shared = await send(small!.key, [service.standin.urlOf(code, "share")]);
  await expect
    .poll(() => {
      service.clock.advance(1_000);
      return shares.waiting;
    })
    .toBe(2);
  shares.release();
  await until(small!.key, shared, { status: "finished", counts: { done: 1 } });
  const left = await Promise.all(ids.map((id) => read(greedy!.key, id)));
  expect(left.reduce((sum, { counts }) => sum + counts.waiting, 0)).toBeGreaterThan(0);
});

test("a few looks are made at a time, and an account that had none comes first", async () => {
  const { service, shares, send, deadLinks, until } = await start();
  const greedy = await Promise.all(
    Array.from({ length: looksAtATime + 2 }, () => service.createCaller({ plan: "hobby" })),
  );
  for (const { key } of greedy) await send(key, deadLinks(50));
  await expect
    .poll(() => {
      service.clock.advance(1_000);
      return shares.waiting;
    })
    .toBe(looksAtATime);
  const small = await service.createCaller({ plan: "hobby" });
  const code = service.standin.addReel({ bytes: Buffer.from("not looked at") }).code;
  const shared = await send(small.key, [service.standin.urlOf(code, "share")]);
  shares.release();
  await until(small.key, shared, { status: "finished", counts: { done: 1 } });
  expect(shares.most).toBe(looksAtATime);
});

test("a look without an answer ends, and is repeated later", async () => {
  const { service, shares, send, read, until } = await start();
  const { key } = await service.createCaller({ plan: "hobby" });
  const code = service.standin.addReel({ bytes: Buffer.from("not looked at") }).code;
  const id = await send(key, [service.standin.urlOf(code, "share"), service.newReel()]);
  await until(key, id, { counts: { done: 1, waiting: 1 } });
  // The deadline of a look is in real time.
  await until(key, id, { waitingFor: "platform" });
  expect((await read(key, id)).counts).toMatchObject({ waiting: 1, failed: 0 });
  shares.release();
  await until(key, id, { status: "finished", counts: { done: 2 } });
});

test("a share link that the platform refuses to follow doesn't hold up those after it", async () => {
  const { service, shares, send, read, until, deadLinks } = await start();
  shares.release();
  const { key } = await service.createCaller({ plan: "hobby" });
  const code = service.standin.addReel({ bytes: Buffer.from("not looked at") }).code;
  const login = `${service.standin.origin}/share/reel/BAlogin001/`;
  const id = await send(key, [login, ...deadLinks(2), service.standin.urlOf(code, "share")]);
  const counts = { done: 1, failed: 2, waiting: 1 };
  await until(key, id, { counts });
  expect(await read(key, id)).toMatchObject({ counts, waitingFor: "platform" });
});
