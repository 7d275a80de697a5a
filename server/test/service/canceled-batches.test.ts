import { describe, expect, onTestFinished, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { serviceOfTest } from "../harness/start-test-service.ts";
import { receiverOfTest } from "../harness/start-receiver.ts";

/** One reel is recognized at a time, and one more is fetched meanwhile. */
const inHand = 2;

async function startOn(server: string | undefined) {
  const gate = createGatedTranscriber();
  let databaseUrl: string | undefined;
  if (server !== undefined) {
    const database = await migratedDatabase(server);
    onTestFinished(() => database.drop());
    databaseUrl = database.databaseUrl;
  }
  const service = await serviceOfTest({
    transcriber: gate,
    rateLimits: { transcribe: 100 },
    repeated: ["advance-batches"],
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  onTestFinished(() => gate.open());
  gate.close();
  const reels = (count: number) => Array.from({ length: count }, () => service.newReel());
  const send = async (key: string, urls: readonly string[]) =>
    (await rest(service.url, "/transcriptions", { key, body: { urls } })).body;
  const read = async (key: string, id: string) => (await rest(service.url, `/batches/${id}`, { key })).body;
  const cancel = async (key: string, id: string) =>
    (await rest(service.url, `/batches/${id}`, { key, method: "DELETE" })).body;
  /** Moves the clock, by which periodic work runs. */
  const until = async (key: string, id: string, expected: object): Promise<void> => {
    await expect
      .poll(
        async () => {
          service.clock.advance(2_000);
          return read(key, id);
        },
        { interval: 100 },
      )
      .toMatchObject(expected);
  };
  /** Waits until the worker has as many reels as it takes. */
  const untilBusy = async (key: string, id: string): Promise<void> => {
    await expect
      .poll(
        async () => (await read(key, id)).links.filter(({ status }: { status: string }) => status === "running").length,
      )
      .toBe(inHand);
  };
  return { service, gate, reels, send, read, cancel, until, untilBusy };
}

const databases = [
  { name: "embedded", server: undefined, isOff: false },
  { name: "PostgreSQL (runs with TEST_DATABASE_URL)", server: testDatabaseUrl, isOff: testDatabaseUrl === undefined },
];

for (const { name, server, isOff } of databases)
  describe.skipIf(isOff)(`a canceled batch, ${name}`, () => {
    test("ends what is only queued, uncharged; what a worker has is finished", async () => {
      const { service, gate, reels, send, read, cancel, until, untilBusy } = await startOn(server);
      const { key } = await service.createCaller({ plan: "hobby" });
      const receiver = await receiverOfTest();
      await rest(service.url, "/webhooks", { key, body: { url: receiver.url } });
      const batch = await send(key, reels(12));
      expect(batch.counts).toMatchObject({ underWay: 8, waiting: 4 });
      await untilBusy(key, batch.id);
      const queued: string[] = (await read(key, batch.id)).links
        .filter(({ status }: { status: string }) => status === "queued")
        .map(({ transcriptionId }: { transcriptionId: string }) => transcriptionId);
      expect(queued).toHaveLength(8 - inHand);

      const canceled = await cancel(key, batch.id);
      expect(canceled.counts).toMatchObject({ underWay: inHand, waiting: 0, canceled: 12 - inHand, failed: 0 });
      for (const link of canceled.links.slice(inHand)) {
        expect(link).toMatchObject({ status: "canceled" });
        expect(link).not.toHaveProperty("error");
      }
      for (const id of queued)
        expect((await rest(service.url, `/transcriptions/${id}`, { key })).body).toMatchObject({
          status: "failed",
          error: { code: "unavailable", reason: "batchCanceled" },
        });

      gate.open();
      await until(key, batch.id, { status: "finished", counts: { done: inHand, canceled: 12 - inHand } });
      expect(await used(service.url, key)).toBe(inHand);
      expect(await service.store.operatorFigures.work()).toMatchObject({ queued: 0, running: 0, held: 0 });
      await expect
        .poll(() => {
          service.clock.advance(2_000);
          return receiver.events.map(({ body }) => JSON.parse(body).type as string).toSorted();
        })
        .toEqual([
          "batch.finished",
          ...Array<string>(inHand).fill("transcription.done"),
          ...Array<string>(8 - inHand).fill("transcription.failed"),
        ]);

      const retried = await rest(service.url, `/batches/${batch.id}/retry`, { key, body: {} });
      expect(retried.body.counts).toMatchObject({ waiting: 12 - inHand });
      await until(key, batch.id, { status: "finished", counts: { done: 12, canceled: 0, failed: 0 } });
      expect(await used(service.url, key)).toBe(12);
    });

    test("is finished at once if nothing of it is under way, and makes room for another", async () => {
      const { service, send, cancel } = await startOn(server);
      const { key } = await service.createCaller({ plan: "hobby" });
      const shares = service.standin.holdShares();
      onTestFinished(() => shares.release());
      for (let count = 0; count < 12; count += 1) {
        const batch = await send(key, [`${service.standin.origin}/share/reel/BAcanceled${count}/`]);
        expect(await cancel(key, batch.id)).toMatchObject({ status: "finished", counts: { canceled: 1, waiting: 0 } });
      }
    });

    test("leaves a reel to the account's other open batch, until that one is canceled too", async () => {
      const { service, gate, reels, send, read, cancel, until, untilBusy } = await startOn(server);
      const { key } = await service.createCaller({ plan: "hobby" });
      const running = reels(inHand);
      const shared = reels(2);
      const alone = reels(1);
      const first = await send(key, [...running, ...shared, ...alone]);
      const second = await send(key, [shared[0]!, service.newReel()]);
      const third = await send(key, [shared[1]!]);
      await untilBusy(key, first.id);
      const statuses = async (id: string) =>
        (await read(key, id)).links.map(({ status }: { status: string }) => status);

      await cancel(key, first.id);
      expect(await statuses(first.id)).toEqual(["running", "running", "queued", "queued", "canceled"]);
      await cancel(key, third.id);
      expect(await statuses(third.id)).toEqual(["queued"]);
      gate.open();
      await until(key, first.id, { status: "finished", counts: { done: inHand + 2, canceled: 1 } });
      await until(key, second.id, { status: "finished", counts: { done: 2 } });
      expect(await used(service.url, key)).toBe(inHand + 3);
    });

    test("leaves a reel that a single call began or joined", async () => {
      const { service, gate, reels, send, cancel, until, untilBusy } = await startOn(server);
      const { key } = await service.createCaller({ plan: "hobby" });
      const [begun, joined] = reels(2);
      const running = await send(key, reels(inHand));
      await untilBusy(key, running.id);
      await transcribeLater(service.url, key, begun!);
      const batch = await send(key, [begun!, joined!, service.newReel()]);
      await transcribeLater(service.url, key, joined!);
      expect((await cancel(key, batch.id)).counts).toMatchObject({ underWay: 2, canceled: 1 });
      gate.open();
      await until(key, batch.id, { status: "finished", counts: { done: 2, canceled: 1 } });
      expect(await used(service.url, key)).toBe(inHand + 2);
    });

    test("holds up no other account that wants its reels", async () => {
      const { service, gate, reels, send, cancel, until, untilBusy } = await startOn(server);
      const [one, other, third] = await Promise.all([1, 2, 3].map(() => service.createCaller({ plan: "hobby" })));
      const [shared] = reels(1);
      const first = await send(one!.key, [...reels(inHand), shared!]);
      await untilBusy(one!.key, first.id);
      const second = await send(other!.key, [shared!]);
      expect(second.counts).toMatchObject({ waiting: 1 });
      expect((await cancel(one!.key, first.id)).counts).toMatchObject({ canceled: 1 });
      gate.open();
      await until(other!.key, second.id, { status: "finished", counts: { done: 1 } });
      expect(await used(service.url, other!.key)).toBe(1);
      expect(await used(service.url, one!.key)).toBe(inHand);
      expect((await transcribe(service.url, third!.key, shared!)).body).toMatchObject({ cached: true });
    });
  });
