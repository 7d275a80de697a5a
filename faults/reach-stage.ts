import { rm, writeFile } from "node:fs/promises";
import type { Answer } from "./callers.ts";
import type { KnownReel } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Random } from "./random.ts";
import type { RequestedReel, Round } from "./run-round.ts";
import { isDecoder, isRecognizer, type Member } from "./start-member.ts";
import { Impossible, until } from "./waiting.ts";

export const stages = ["queued", "claimed", "fetching", "decoding", "recognizing", "completing"] as const;
export type Stage = (typeof stages)[number];

interface Steps {
  readonly world: World;
  readonly random: Random;
  readonly workers: readonly Member[];
  readonly reel: KnownReel;
  readonly ask: () => Promise<Answer>;
}
interface ReachedStage {
  readonly answer: Promise<Answer>;
  readonly worker: Member;
  /** Resumes everything that was stopped for this, except processes of `except`. */
  readonly letGo: (options?: { readonly except?: Member | undefined }) => unknown;
}
/** A reel that has reached a stage, with its processes and its request. */
export interface Scene extends ReachedStage, RequestedReel {
  readonly answer: Promise<Answer>;
  readonly api: Member;
}

interface Row {
  readonly state: string;
  readonly attempt: number;
}

const seconds = 40;
/** Processor time, in hundredths of a second: enough to show that the model is working on the reel. */
const busyTicks = 15;

/**
 * Requests a fresh reel at one of the answering processes, and stops when it has reached `stage`. Everything that was stopped
 * for this resumes after the round at the latest.
 */
export async function reachStage(stage: Stage, { world, callers, random, undo }: Round): Promise<Scene> {
  const api = random.pick(world.apis());
  const account = random.pick([world.accounts.ada, world.accounts.ben, world.accounts.cleo]);
  const reel = await world.addReel("short");
  const workers = world.workers();
  const steps: Steps = { world, random, workers, reel, ask: () => callers.transcribe(api, account, reel) };
  const stageState = await reach[stage](steps);
  undo(() => stageState.letGo());
  return { api, account, reel, ...stageState };
}

const reach: Readonly<Record<Stage, (steps: Steps) => Promise<ReachedStage>>> = {
  async queued({ world, workers, reel, ask, random }) {
    if (!world.isFleet) throw new Impossible("one process answers and works, so that nothing waits in its queue alone");
    for (const worker of workers) worker.freeze();
    const answer = ask();
    await until(seconds, "the reel is queued", async () => (await rowOf(world, reel))?.state === "queued");
    return {
      answer,
      worker: random.pick(workers),
      letGo: ({ except } = {}) => workers.filter((worker) => worker !== except).forEach((worker) => worker.thaw()),
    };
  },
  claimed: (steps) => atDoor("page", steps),
  fetching: (steps) => atDoor("media", steps),
  async decoding({ world, workers, ask }) {
    if (!world.ffmpeg) throw new Impossible("no ffmpeg is installed, and the embedded one cannot be held");
    for (const { gate } of workers) await writeFile(gate, "");
    const answer = ask();
    const worker = await until(seconds, "a decoder waits", () => workers.find((one) => one.children().some(isDecoder)));
    return { answer, worker, letGo: () => Promise.all(workers.map(({ gate }) => rm(gate, { force: true }))) };
  },
  async recognizing({ workers, ask }) {
    const ticks = (worker: Member): number => worker.children().find(isRecognizer)?.ticks ?? Infinity;
    const before = new Map(workers.map((worker) => [worker, ticks(worker)]));
    const answer = ask();
    const worker = await until(seconds, "a recognizer is at work", () =>
      workers.find((one) => ticks(one) - before.get(one)! > busyTicks),
    );
    return { answer, worker, letGo: () => undefined };
  },
  async completing({ world, workers, ask, random }) {
    if (!world.isFleet) throw new Impossible("no PostgreSQL server, so that no connection can be held");
    const before = random.pick([true, false]);
    for (const { way } of workers) way!.holdAt("complete-transcription", { before });
    const answer = ask();
    const worker = await until(seconds, "the result is on its way", () => workers.find(({ way }) => way!.isHolding()));
    return { answer, worker, letGo: () => workers.forEach(({ way }) => void way!.release()) };
  },
};

async function atDoor(kind: "page" | "media", { workers, reel, ask }: Steps): Promise<ReachedStage> {
  for (const { door } of workers) door.hold(kind, reel);
  const answer = ask();
  const worker = await until(seconds, "the platform is asked", () => workers.find(({ door }) => door.isHolding()));
  return { answer, worker, letGo: () => workers.forEach(({ door }) => door.release()) };
}

export async function rowOf({ query }: World, { mediaId }: KnownReel): Promise<Row | undefined> {
  const [row] = await query<Row>(
    "select state, attempt, tries_left, setbacks, crashes from transcription where media_id = $1",
    [mediaId],
  );
  return row;
}
