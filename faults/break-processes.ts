import { setTimeout as pause } from "node:timers/promises";
import { signal } from "../scripts/processes/process-table.ts";
import { reachStage, rowOf, type Scene, type Stage } from "./reach-stage.ts";
import type { KnownReel } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Round } from "./run-round.ts";
import { isDecoder, isRecognizer, type Member } from "./start-member.ts";
import { Broken, Impossible, until, within } from "./waiting.ts";

export const targets = ["api", "worker", "recognizer", "decoder", "backend"] as const;
type Target = (typeof targets)[number];
const strikes = { kill: "SIGKILL", freeze: "SIGSTOP" } as const;
export type Strike = keyof typeof strikes;

/** A lease, plus some seconds in which another worker finds the work. */
const longWork = 40;
const patienceSeconds = 40;

/** Kills or freezes a process at a stage of a transcription. */
export async function strikeAt(
  round: Round,
  { target, strike, stage }: { readonly target: Target; readonly strike: Strike; readonly stage: Stage },
): Promise<void> {
  const { world } = round;
  if (target === "backend" && !world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const scene = await reachStage(stage, round);
  const member = target === "api" || target === "worker" ? scene[target] : undefined;
  const heal = await (member ? strikeMember(member, strike) : strikeOthers(world, scene, target, strike));
  round.undo(heal);
  await scene.letGo({ except: member });
  if (world.isFleet) await round.probe({ not: member });
  if (target === "worker") await expireLease(world, scene.reel);
  await heal();
  await round.served(scene);
}

async function strikeMember(member: Member, strike: Strike): Promise<() => Promise<void>> {
  if (strike === "kill") {
    await member.kill();
    return once(() => member.start());
  }
  member.freeze();
  return once(() => member.thaw());
}

async function strikeOthers(
  world: World,
  { worker }: Scene,
  target: Target,
  strike: Strike,
): Promise<() => Promise<void>> {
  const victims = target === "backend" ? await backendsOf(world, worker) : programsOf(worker, target);
  // If one connection's process dies, the server restarts all of them.
  for (const victim of strike === "kill" ? victims.slice(0, 1) : victims) signal(victim, strikes[strike]);
  return once(() => {
    if (strike === "freeze") for (const victim of victims) signal(victim, "SIGCONT");
  });
}

function programsOf(worker: Member, target: Target): number[] {
  const programs = worker.children().filter(target === "decoder" ? isDecoder : isRecognizer);
  if (programs.length === 0) throw new Impossible(`${worker.name} has no ${target} at this moment`);
  return programs.map(({ processId }) => processId);
}

async function backendsOf({ query }: World, { way }: Member): Promise<number[]> {
  const statement = "select pid from pg_stat_activity where client_port = any($1::integer[])";
  const rows = await query<{ pid: number }>(statement, [way!.farPorts()]);
  return rows.map(({ pid }) => pid);
}

/** Nobody has to wait for the lease of a process that is known to be gone. */
async function expireLease({ isFleet, query }: World, { mediaId }: KnownReel): Promise<void> {
  if (isFleet)
    await query("update transcription set lease_until = now() where media_id = $1 and state = 'running'", [mediaId]);
}

function once(action: () => void | Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= Promise.resolve(action()));
}

/** A reel that takes longer than a lease stays with its worker. */
export async function workLong(round: Round): Promise<void> {
  const { world } = round;
  const scene = await reachStage("fetching", round);
  const before = world.isFleet ? await rowOf(world, scene.reel) : undefined;
  await pause(longWork * 1_000);
  const after = world.isFleet ? await rowOf(world, scene.reel) : undefined;
  if (after?.attempt !== before?.attempt)
    throw new Broken(
      `a reel was taken from ${scene.worker.name}, which was at work on it: attempt ${before?.attempt}, then ${after?.attempt} (${JSON.stringify(after)})`,
    );
  await scene.letGo();
  await round.served(scene);
}

/** A worker's result reaches the database after another worker was given the reel. */
export async function completeLate(round: Round): Promise<void> {
  const { world, callers, random } = round;
  if (!world.isFleet) throw new Impossible("one process works, so that no other can be given its reel");
  const account = world.accounts.ada;
  const reel = await world.addReel("short");
  for (const { way } of world.workers()) way!.holdAt("complete-transcription", { before: true });
  round.undo(() => world.workers().forEach(({ way }) => void way!.release()));
  const answer = callers.transcribe(random.pick(world.apis()), account, reel);
  const late = await until(patienceSeconds, "the result is on its way", () =>
    world.workers().find(({ way }) => way!.isHolding()),
  );
  const next = world.workers().find((one) => one !== late)!;
  await next.way!.release();
  late.freeze();
  round.undo(() => late.thaw());
  next.door.hold("page", reel);
  round.undo(() => next.door.release());
  await expireLease(world, reel);
  await until(patienceSeconds, "the reel is given to the other worker", () => next.door.isHolding());
  await within(patienceSeconds, "the late result is answered", late.way!.release());
  const state = (await rowOf(world, reel))?.state;
  if (state !== "running") throw new Broken(`the worker that lost its lease made the reel ${state}`);
  late.thaw();
  next.door.release();
  await round.served({ reel, account, answer });
}
