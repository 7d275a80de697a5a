import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createGatedTranscriber, type GatedTranscriber } from "../harness/gated-transcriber.ts";
import { transcribe } from "../harness/rest.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { startWay, type Way } from "../harness/start-way.ts";

describe.skipIf(!testDatabaseUrl)("a database that is away for a moment (runs with TEST_DATABASE_URL)", () => {
  let service: TestService;
  let way: Way;
  let drop: () => Promise<void>;
  let tries = 0;
  const gate = createGatedTranscriber();
  const counting: GatedTranscriber = {
    ...gate,
    transcribe(...call) {
      tries += 1;
      return gate.transcribe(...call);
    },
  };
  beforeAll(async () => {
    const database = await migratedDatabase(testDatabaseUrl ?? "");
    drop = database.drop;
    way = await startWay(database.databaseUrl);
    service = await startTestService({ databaseUrl: way.url, transcriber: counting });
  });
  afterAll(async () => {
    await service.close();
    await way.close();
    await drop();
  });

  test("costs no finished work, and no caller who waits", async () => {
    const { accountId, key } = await service.createCaller();
    const url = service.newReel();
    gate.close();
    const waiting = transcribe(service.url, key, url);
    await expect.poll(() => tries).toBe(1);
    await way.cut();
    gate.open();
    const renewals = () => service.faults.filter(({ where }) => where.startsWith("transcription"));
    const refused = () => service.store.ping().then(() => "answered", String);
    await expect.poll(() => renewals().length).toBe(1);
    for (let count = 0; count < 6; count += 1) {
      expect(await refused()).not.toBe("answered");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(renewals()).toMatchObject([{ error: { code: "unavailable" } }]);
    await way.restore();
    expect(await waiting).toMatchObject({ status: 200, body: { cached: false, usage: { used: 1 } } });
    expect(tries).toBe(1);
    expect(await service.store.allowances.read({ accountId, slot: 1 }, "lifetime")).toEqual({ used: 1, held: 0 });
    const codes = service.faults.splice(0).map(({ error }) => (error as { code?: string }).code);
    expect([...new Set(codes)]).toEqual(["unavailable"]);
  });
});
