import { signal } from "../bench/processes/process-table.ts";
import { reachStage, type Scene, type Stage, stages } from "./reach-stage.ts";
import type { KnownReel } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Fault, Round } from "./run-round.ts";
import { isDecoder, isRecognizer, type Member } from "./start-member.ts";
import { Impossible } from "./waiting.ts";

const targets = ["api", "worker", "recognizer", "decoder", "backend"] as const;
type Target = (typeof targets)[number];
const strikes = { kill: "SIGKILL", freeze: "SIGSTOP" } as const;
type Strike = keyof typeof strikes;

/** Every process, killed and frozen, at every stage of a transcription at which it has a part. */
export const signalFaults: Fault[] = targets.flatMap((target) =>
  (["kill", "freeze"] as const).flatMap((strike) =>
    stages
      // A decoder lives only while it decodes.
      .filter((stage) => target !== "decoder" || stage === "decoding")
      .map((stage) => ({
        name: `${strike} ${target} ${stage}`,
        run: (round: Round) => strikeAt(round, { target, strike, stage }),
      })),
  ),
);

async function strikeAt(
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
  // The death of one is the death of all: the server then starts its connections over.
  for (const victim of strike === "kill" ? victims.slice(0, 1) : victims) signal(victim, strikes[strike]);
  return once(() => {
    if (strike === "freeze") for (const victim of victims) signal(victim, "SIGCONT");
  });
}

function programsOf(worker: Member, target: Target): number[] {
  const found = worker.children().filter(target === "decoder" ? isDecoder : isRecognizer);
  if (found.length === 0) throw new Impossible(`${worker.name} has no ${target} at this moment`);
  return found.map(({ processId }) => processId);
}

async function backendsOf({ query }: World, { way }: Member): Promise<number[]> {
  const statement = "select pid from pg_stat_activity where client_port = any($1::integer[])";
  const rows = await query<{ pid: number }>(statement, [way!.farPorts()]);
  return rows.map(({ pid }) => pid);
}

/** Nobody has to wait for the lease of a process that is known to be away. */
export async function expireLease({ isFleet, query }: World, { mediaId }: KnownReel): Promise<void> {
  if (isFleet)
    await query("update transcription set lease_until = now() where media_id = $1 and state = 'running'", [mediaId]);
}

function once(action: () => void | Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= Promise.resolve(action()));
}
