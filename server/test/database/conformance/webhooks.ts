import { describe, expect, test } from "vitest";
import type { Store, StoredWebhook, WebhookAttempt } from "../../../src/ports.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import {
  after,
  aKey,
  anAccount,
  anAllowance,
  aReel,
  ask,
  mustClaim,
  start,
  transcribe,
  transcriptOf,
} from "./fixtures.ts";

export async function anEndpoint(store: Store, accountId: string, keyId: string | null = null): Promise<StoredWebhook> {
  const url = "https://hooks.example/";
  const newWebhook = await store.webhooks.create({ accountId, keyId, url, secret: new Uint8Array(32), now: start });
  if (typeof newWebhook === "string") throw new Error(newWebhook);
  return newWebhook;
}

export const delivered = { status: 204, problem: null, gone: false } as const;

export function webhooks(store: Store): void {
  const decision = { by: "operator", reason: "spam", now: start };
  const take = (now: Date, most = 100): Promise<readonly WebhookAttempt[]> => store.webhooks.take(most, 30, now);
  /** Until nothing is due. */
  async function takeAll(now: Date): Promise<WebhookAttempt[]> {
    const all: WebhookAttempt[] = [];
    for (let taken = await take(now); taken.length > 0; taken = await take(now)) {
      all.push(...taken);
      for (const attempt of taken) await store.webhooks.note(attempt, delivered, undefined, now);
    }
    return all;
  }

  describe("webhooks", () => {
    test("of an account are sent two at a time", async () => {
      const mine = await anAccount(store);
      const theirs = await anAccount(store);
      for (let count = 0; count < 5; count += 1) await anEndpoint(store, mine.id);
      await transcribe(store, mine.id);
      await anEndpoint(store, theirs.id);
      await transcribe(store, theirs.id, {}, after(1));

      const first = await take(after(2));
      expect(first).toHaveLength(3);
      expect(await take(after(2)), "while two are under way").toEqual([]);
      const one = first.find(({ createdAt }) => createdAt.getTime() === start.getTime())!;
      await store.webhooks.note(one, delivered, undefined, after(2));
      const next = await take(after(2));
      expect(next).toHaveLength(1);
      for (const attempt of [...first.filter((attempt) => attempt !== one), ...next])
        await store.webhooks.note(attempt, delivered, undefined, after(2));
      const rest = await takeAll(after(2));
      expect(rest).toHaveLength(2);
      expect(new Set([...first, ...next, ...rest].map(({ deliveryId }) => deliveryId)).size).toBe(6);
    });

    test("are taken the longest waiting first, and tests before events", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      await transcribe(store, id);
      await transcribe(store, id, {}, after(1));
      await store.webhooks.test(id, endpoint.id, after(2));
      const taken = await takeAll(after(2));
      expect(taken.map(({ event, createdAt }) => [event, createdAt])).toEqual([
        ["webhook.test", after(2)],
        ["transcription.done", start],
        ["transcription.done", after(1)],
      ]);
    });

    test("wait while the account is suspended, and what ends meanwhile sends nothing", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      await transcribe(store, id);
      await store.webhooks.test(id, endpoint.id, start);
      const reel = aReel();
      await ask(store, reel, anAllowance(id));
      await store.moderation.suspend(id, decision);
      expect(await take(after(1))).toEqual([]);
      await store.moderation.unsuspend(id, decision);
      const deliveries = await takeAll(after(1));
      expect(deliveries.map(({ event }) => event)).toEqual(["webhook.test", "transcription.done"]);
    });

    test("that a disabled endpoint missed are due on enabling, oldest first", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      await transcribe(store, id);
      const [refused] = await take(after(1));
      await store.webhooks.note(refused!, { status: 410, problem: "status", gone: true }, undefined, after(1));
      await transcribe(store, id, {}, after(2));
      expect(await take(after(3))).toEqual([]);
      expect(await store.webhooks.deliveries(id, endpoint.id)).toMatchObject([
        { createdAt: after(2), attempts: 0, nextAttemptAt: null },
        { createdAt: start, attempts: 1, status: 410, nextAttemptAt: null },
      ]);
      await store.webhooks.enable(id, endpoint.id, null);
      expect((await takeAll(after(3))).map(({ createdAt, attempt }) => [createdAt, attempt])).toEqual([
        [start, 1],
        [after(2), 1],
      ]);
      await store.webhooks.enable(id, endpoint.id, null);
      expect(await take(after(4)), "nothing was missed").toEqual([]);
    });

    test("that are being tried keep their attempt when they are requested again", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      await transcribe(store, id);
      const [attempt] = await take(after(1));
      const { deliveryId } = attempt!;
      expect(await store.webhooks.redeliver(id, endpoint.id, deliveryId, after(1))).toBe("waiting");
      await store.webhooks.note(attempt!, delivered, undefined, after(1));
      expect(await take(after(2))).toEqual([]);
      expect(await store.webhooks.redeliver(id, endpoint.id, deliveryId, after(2))).toBe("waiting");
      expect(await takeAll(after(2))).toMatchObject([{ deliveryId, attempt: 1 }]);
      expect(await store.webhooks.redeliver(id, endpoint.id, "msg_none", after(2))).toBe("unknown");
    });

    test("of tests are remembered by the last 20 alone", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      for (let count = 0; count < 25; count += 1) {
        await store.webhooks.test(id, endpoint.id, after(count));
        await takeAll(after(count));
      }
      expect(await store.webhooks.deliveries(id, endpoint.id)).toHaveLength(21);
    });

    test("have ids that say nothing of how many endpoints there are", async () => {
      const { id } = await anAccount(store);
      const endpoint = await anEndpoint(store, id);
      await transcribe(store, id);
      const [delivery] = await takeAll(after(1));
      const part = (name: string): string => name.split("_")[1]!;
      expect(delivery!.deliveryId).toBe(`msg_${part(delivery!.transcription!.id)}_${part(endpoint.id)}`);
    });

    test("end when their key expires, unless a person enables them", async () => {
      const { id } = await anAccount(store);
      const short = await aKey(store, id, { expiresAt: after(60) });
      const long = await aKey(store, id);
      const ofShort = await anEndpoint(store, id, short.id);
      await anEndpoint(store, id, long.id);
      await anEndpoint(store, id);
      const sweepAt = async (seconds: number): Promise<readonly (Date | null)[]> => {
        await runUpkeep(store, "forget-webhook-deliveries", after(seconds));
        return (await store.webhooks.list(id)).map(({ disabledAt }) => disabledAt);
      };
      expect(await sweepAt(59)).toEqual([null, null, null]);
      expect(await sweepAt(60)).toEqual([after(60), null, null]);
      expect(await sweepAt(61), "the first time stays").toEqual([after(60), null, null]);
      await transcribe(store, id, {}, after(62));
      expect(await takeAll(after(62)), "nothing is sent to the first").toHaveLength(2);
      await store.webhooks.enable(id, ofShort.id, null);
      expect(await sweepAt(63)).toEqual([null, null, null]);
    });

    test("of a removed account are gone, whatever ends at that moment", async () => {
      const { id } = await anAccount(store);
      await anEndpoint(store, id);
      const reel = aReel();
      await ask(store, reel, anAllowance(id));
      const claim = await mustClaim(store);
      const [removed, completed] = await Promise.all([
        store.accounts.remove(id, start),
        store.transcriptions.complete(claim, transcriptOf(reel), true, start),
      ]);
      expect([removed, completed]).toEqual([true, true]);
      expect(await take(after(1))).toEqual([]);
    });
  });
}
