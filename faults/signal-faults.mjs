import { isDecoder, isRecognizer, signal } from "./processes.mjs";
import { reachStage, stages } from "./reach-stage.mjs";
import { Impossible } from "./waiting.mjs";

const targets = ["api", "worker", "recognizer", "decoder", "backend"];
const strikes = { kill: "SIGKILL", freeze: "SIGSTOP" };

/** Every process, killed and frozen, at every stage of a transcription at which it has a part. */
export const signalFaults = targets.flatMap((target) =>
  Object.keys(strikes).flatMap((strike) =>
    stages
      // A decoder lives only while it decodes.
      .filter((stage) => target !== "decoder" || stage === "decoding")
      .map((stage) => ({
        name: `${strike} ${target} ${stage}`,
        run: (round) => strikeAt(round, { target, strike, stage }),
      })),
  ),
);

async function strikeAt(round, { target, strike, stage }) {
  const { world } = round;
  if (target === "backend" && !world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const scene = await reachStage(stage, round);
  round.undo(() => scene.letGo());
  const heal = await (isProcess[target]
    ? strikeMember(scene, target, strike)
    : strikeOthers(world, scene, target, strike));
  round.undo(heal);
  await scene.letGo({ except: scene[target] });
  if (world.isFleet) await round.probe({ not: scene[target] });
  if (target === "worker") await expireLease(world, scene.reel);
  await heal();
  await round.served(scene);
}

const isProcess = { api: true, worker: true };

async function strikeMember(scene, target, strike) {
  const member = scene[target];
  if (strike === "kill") {
    await member.kill();
    return once(() => member.start());
  }
  member.freeze();
  return once(() => member.thaw());
}

async function strikeOthers(world, { worker }, target, strike) {
  const victims = target === "backend" ? await backendsOf(world, worker) : childrenOf(worker, target);
  // The death of one is the death of all: the server then starts its connections over.
  for (const victim of strike === "kill" ? victims.slice(0, 1) : victims) signal(victim, strikes[strike]);
  return once(() => {
    if (strike === "freeze") for (const victim of victims) signal(victim, "SIGCONT");
  });
}

function childrenOf(worker, target) {
  const found = worker.children().filter(target === "decoder" ? isDecoder : isRecognizer);
  if (found.length === 0) throw new Impossible(`${worker.name} has no ${target} at this moment`);
  return found.map(({ processId }) => processId);
}

async function backendsOf({ query }, { way }) {
  const rows = await query("select pid from pg_stat_activity where client_port = any($1::integer[])", [way.farPorts()]);
  return rows.map(({ pid }) => pid);
}

/** Nobody has to wait for the lease of a process that is known to be away. */
async function expireLease({ isFleet, query }, { mediaId }) {
  if (isFleet)
    await query("update transcription set lease_until = now() where media_id = $1 and state = 'running'", [mediaId]);
}

function once(action) {
  let done;
  return () => (done ??= Promise.resolve(action()));
}
