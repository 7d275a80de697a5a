import { setTimeout as pause } from "node:timers/promises";
import { reachStage, rowOf } from "./reach-stage.ts";
import type { Fault, Round } from "./run-round.ts";
import { expireLease } from "./signal-faults.ts";
import { Broken, Impossible, until, within } from "./waiting.ts";

/** A lease, and some seconds in which another worker would look for work. */
const longWork = 40;
const seconds = 40;

export const leaseFaults: Fault[] = [
  { name: "lease kept for long work", run: (round) => workLong(round) },
  { name: "lease lost before completing", run: (round) => completeLate(round) },
];

/** A reel that takes longer than a lease stays with its worker. */
async function workLong(round: Round): Promise<void> {
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
async function completeLate(round: Round): Promise<void> {
  const { world, callers, random } = round;
  if (!world.isFleet) throw new Impossible("one process works, so that no other can be given its reel");
  const account = world.accounts.ada;
  const reel = await world.addReel("short");
  for (const { way } of world.workers()) way!.holdAt("complete-transcription", { before: true });
  round.undo(() => world.workers().forEach(({ way }) => void way!.release()));
  const answer = callers.transcribe(random.pick(world.apis()), account, reel);
  const late = await until(seconds, "the result is on its way", () =>
    world.workers().find(({ way }) => way!.isHolding()),
  );
  const next = world.workers().find((one) => one !== late)!;
  await next.way!.release();
  late.freeze();
  round.undo(() => late.thaw());
  next.door.hold("page", reel);
  round.undo(() => next.door.release());
  await expireLease(world, reel);
  await until(seconds, "the reel is given to the other worker", () => next.door.isHolding());
  await within(seconds, "the late result is answered", late.way!.release());
  const state = (await rowOf(world, reel))?.state;
  if (state !== "running") throw new Broken(`the worker that lost its lease made the reel ${state}`);
  late.thaw();
  next.door.release();
  await round.served({ reel, account, answer });
}
