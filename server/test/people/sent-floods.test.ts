import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { openEmbedded } from "../database/opened-stores.ts";
import { connectExtension } from "../harness/connect-extension.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const megabyte = 1_000_000;
const limits = {
  transcriber: createGatedTranscriber(),
  maxMediaBytes: 3 * megabyte,
  sentBytesPerHour: 6 * megabyte,
  sessionRateLimits: { default: 6_000, transcribe: 6_000, bioWrite: 1_000 },
  rateLimits: { transcribe: 1_000, address: 10_000 },
};

const service = serviceOfTests(limits);

async function aSender(of = service): Promise<string> {
  const person = await signInNew(of);
  return (await connectExtension(of, person)).token;
}

/** Announces so many bytes and sends none of them. */
async function begin(token: string, bytes: number, of = service): Promise<Socket> {
  const { hostname, port } = new URL(of.url);
  const reel = of.newReel();
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    [
      `POST /app/api/reel-media?${new URLSearchParams({ url: reel })} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${token}`,
      "content-type: video/mp4",
      `content-length: ${bytes}`,
      "\r\n",
    ].join("\r\n"),
  );
  return socket;
}

async function answerOn(socket: Socket): Promise<{ status: number; retryAfter: number | undefined; text: string }> {
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    if (/\r\n\r\n.*\}$/s.test(text)) break;
  }
  const retryAfter = /^retry-after: (\d+)/im.exec(text)?.[1];
  return { status: Number(text.slice(9, 12)), retryAfter: retryAfter ? Number(retryAfter) : undefined, text };
}

async function send(token: string, bytes = 1_000, of = service) {
  const socket = await begin(token, bytes, of);
  socket.write(Buffer.alloc(bytes));
  return answerOn(socket);
}

/** Goes away in the middle, once the service has read what came. */
async function breakOff(token: string, bytes: number): Promise<void> {
  const socket = await begin(token, 3 * megabyte);
  // Before the service knows of it, it couldn't tell that it is gone.
  await expect.poll(async () => (await send(token, 0)).status).toBe(409);
  await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
  socket.destroy();
  // The service refuses another upload while this one is there.
  await expect.poll(async () => (await send(token, 0)).status).not.toBe(409);
}

describe("media that break off", () => {
  test("count for their account in the hour, and for nobody else", async () => {
    const ana = await aSender();
    const ben = await aSender();
    for (let count = 0; count < 6; count += 1) await breakOff(ana, 0.9 * megabyte);
    expect((await send(ana)).status, "5.4 of 6 MB").toBe(200);
    await breakOff(ana, 2.5 * megabyte);
    const refused = await send(ana);
    expect([refused.status, refused.text.includes("has sent 6 MB of media in this hour")]).toEqual([429, true]);
    expect(refused.retryAfter).toBeGreaterThan(3_000);
    expect(refused.retryAfter).toBeLessThanOrEqual(3_600);
    expect((await send(ben)).status).toBe(200);
    service.clock.advance(hour);
    expect((await send(ana)).status).toBe(200);
  });

  test("give their room on the disk back", async () => {
    const { store, pool, close } = await openEmbedded();
    try {
      const now = new Date();
      const { id: accountId } = await store.accounts.create({ email: "room@example.com", plan: "free", now });
      const used = async (): Promise<number> => {
        const { rows } = await pool.query<{ bytes: number }>("select pg_database_size(current_database()) as bytes");
        return rows[0]?.bytes ?? 0;
      };
      const before = await used();
      for (let count = 0; count < 5; count += 1) {
        const expiresAt = new Date(now.getTime() + 60_000);
        const limit = { mostBytes: 1e9, mostBytesOfAccount: 1e9, mostBytesPerHour: 1e9, leastFreeBytes: 0 };
        const begun = await store.sentMedia.begin({ accountId, ...limit, expiresAt, now });
        if (begun.kind !== "begun") throw new Error(begun.kind);
        for (let number = 0; number < 10; number += 1)
          await store.sentMedia.append(begun.mediaId, number, Buffer.alloc(megabyte, count), expiresAt);
        await store.sentMedia.drop(begun.mediaId);
      }
      expect((await used()) - before).toBeLessThan(15 * megabyte);
    } finally {
      await close();
    }
  });
});

test("nothing is read when the disk has no room for it", async () => {
  const full = await serviceOfTest({ ...limits, role: "api", maxMediaBytes: 1e15 });
  const socket = await begin(await aSender(full), 1_000, full);
  expect(await answerOn(socket)).toMatchObject({ status: 503, retryAfter: 60 });
  socket.destroy();
});

test("the slowest body leaves when all places are taken", async () => {
  const slow: Socket[] = [];
  const trickle = setInterval(() => {
    for (const [index, socket] of slow.entries())
      if (socket.writable) socket.write(Buffer.alloc(index === 0 ? 1 : 100));
  }, 100);
  try {
    const next = await aSender();
    const tokens: string[] = [];
    for (let count = 0; count < 8; count += 1) tokens.push(await aSender());
    for (const token of tokens) slow.push(await begin(token, 2 * megabyte));
    const [slowest, ...others] = slow.map(answerOn);
    let left: number | undefined;
    void slowest!.then(({ status }) => (left = status));
    let taken: number | undefined;
    // While its speed can't be told yet, nobody leaves.
    await expect
      .poll(
        async () => {
          if (left === undefined) taken = (await send(next)).status;
          return left;
        },
        { interval: 250 },
      )
      .toBe(503);
    expect(taken).toBe(200);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 400));
  } finally {
    clearInterval(trickle);
    for (const socket of slow) socket.destroy();
  }
});
