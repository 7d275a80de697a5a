import { setTimeout as pause } from "node:timers/promises";
import { type Answer, isServed } from "./callers.ts";
import type { Account, KnownReel } from "./ledger.ts";
import type { Round } from "./run-round.ts";
import { until } from "./waiting.ts";

interface Started {
  readonly reel: KnownReel;
  readonly id: string;
}

const restMilliseconds = 25;
const betweenFresh = 1_500;
const writers = 4;
const waitSeconds = 60;

/** The first segment of a path below the API's, for people. */
const kindOf = (where: string): string =>
  where.includes("query=") ? "search" : (/^\/api\/v1\/(\w+)/.exec(where)?.[1] ?? where);

/**
 * Calls `url` all the time: frequent reads, fresh reels that nobody waits for, and scripts whose callers search for them
 * immediately. `stop` ends the calls and returns their results.
 */
export async function startLoad({ world, callers }: Round, url: string) {
  const target = { name: "the load", url, isUp: true };
  const { quiet, ada } = world.accounts;
  const knownReels = world.ledger.transcripts().map(({ reel }) => reel);
  const tally = { callCount: 0, failed: 0, refused: 0, stale: 0, started: 0, lost: 0, gap: 0 };
  const kinds = new Map<string, { calls: number; failed: number; refused: number }>();
  let isOver = false;
  let servedAt = performance.now();

  function note(kind: string, answer: Answer): Answer {
    const now = performance.now();
    const counts = kinds.get(kind) ?? { calls: 0, failed: 0, refused: 0 };
    kinds.set(kind, counts);
    tally.callCount += 1;
    counts.calls += 1;
    if (isServed(answer)) {
      tally.gap = Math.max(tally.gap, (now - servedAt) / 1_000);
      servedAt = now;
    } else {
      const outcome = answer.fault === undefined ? "refused" : "failed";
      tally[outcome] += 1;
      counts[outcome] += 1;
    }
    return answer;
  }
  const read = async ({ key }: Account, where: string) =>
    note(kindOf(where), await callers.send(target, where, { key }));
  const transcribe = async (account: Account, reel: KnownReel, options?: { readonly asynchronous: boolean }) =>
    note(options ? "fresh reel" : "cached reel", await callers.transcribe(target, account, reel, options));
  /** Repeats until it is served, as clients do. */
  async function served(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (isServed(answer) || isOver) return answer;
      await pause(restMilliseconds);
    }
  }
  /** A long load leaves more fresh reels than a page holds. */
  async function look(account: Account, { code }: KnownReel): Promise<void> {
    for (let cursor = ""; ;) {
      const { body } = await served(() => read(account, `/api/v1/scripts?limit=50${cursor}`));
      if (body?.scripts === undefined || body.scripts.some((script: unknown) => JSON.stringify(script).includes(code)))
        return;
      if (!body.nextCursor) break;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    tally.stale += 1;
  }

  async function readOften(): Promise<void> {
    const ways = [
      () => read(quiet, "/api/v1/usage"),
      () => read(quiet, "/api/v1/scripts?query=the"),
      () => transcribe(quiet, knownReels[0]!),
      () => read(ada, "/api/v1/scripts?sort=views"),
    ];
    for (let turn = 0; !isOver; turn += 1) {
      await ways[turn % ways.length]!();
      await pause(restMilliseconds);
    }
  }
  /** Reels that others have already transcribed, each once for each of many accounts. */
  async function take(accounts: readonly Account[]): Promise<void> {
    for (const account of accounts)
      for (const reel of knownReels) {
        if (isOver) return;
        const { status } = await served(() => transcribe(account, reel));
        if (status === 200) await look(account, reel);
        await pause(restMilliseconds);
      }
  }
  const fresh: Started[] = [];
  async function startFresh(): Promise<void> {
    while (!isOver) {
      const reel = await world.addReel("shortest");
      const { body, status } = await served(() => transcribe(ada, reel, { asynchronous: true }));
      if (status === 202) fresh.push({ reel, id: body.id });
      await pause(betweenFresh);
    }
  }
  const isDone = async ({ id }: Started): Promise<boolean> =>
    (await read(ada, `/api/v1/transcriptions/${id}`)).body?.status === "done";

  const accounts = await world.addAccounts(writers * 10);
  const shares = Array.from({ length: writers }, (_, index) => accounts.slice(index * 10, index * 10 + 10));
  const all = [readOften(), readOften(), startFresh(), ...shares.map(take)];
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
      tally.started = fresh.length;
      for (const one of fresh) {
        const isThere = await until(waitSeconds * world.patience, "", () => isDone(one), { every: 200 }).catch(
          () => false,
        );
        if (!isThere) tally.lost += 1;
        else await transcribe(ada, one.reel).then(() => look(ada, one.reel));
      }
      return { ...tally, kinds };
    },
  };
}
