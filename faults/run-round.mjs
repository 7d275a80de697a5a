import { createCallers } from "./callers.mjs";
import { brokenInvariants } from "./invariants.mjs";
import { Broken, Impossible, within } from "./waiting.mjs";

const roundSeconds = 100;
const servedSeconds = 45;
const undoSeconds = 200;

/**
 * One fault and its undoing, with other calls all the while, then the look at what must always hold. Gives `outcome` (held,
 * broken or skipped), its `reasons`, and how long the probes took.
 */
export async function runRound(fault, world, random) {
  const started = performance.now();
  const callers = createCallers(world);
  const undoings = [];
  const reasons = [];
  const probes = [];
  const upApis = (not) => world.apis().filter((member) => member !== not && member.isUp);
  const round = {
    world,
    callers,
    random,
    undo: (action) => void undoings.push(action),
    broken: (reason) => void reasons.push(reason),
    /** A fresh reel, by any process that answers but `not`. */
    async probe({ not } = {}) {
      const reel = await world.addReel("shortest");
      const asked = performance.now();
      const what = "a healthy worker serves a fresh reel";
      await callers.insist(upApis(not), world.accounts.quiet, reel, { seconds: world.probeSeconds, what });
      probes.push((performance.now() - asked) / 1_000);
    },
    /** The reel of the round has its transcript in the end, and whoever asked first has an answer. */
    async served({ reel, account, answer }) {
      const seconds = servedSeconds * world.patience;
      if (answer) await within(seconds, "the first caller has an answer", answer);
      await callers.insist(upApis(), account, reel, { seconds, what: `${reel.code} is transcribed` });
    },
  };
  const reels = world.ledger
    .transcripts()
    .slice(-3)
    .map(({ reel }) => reel);
  const hush = callers.murmur(world.apis(), world.accounts.quiet, reels);
  let skipped;
  const note = (error) => {
    if (error instanceof Impossible) skipped = error.message;
    else reasons.push(error instanceof Broken ? error.message : (error.stack ?? String(error)));
  };
  const { seconds = roundSeconds } = fault;
  await within(seconds * world.patience, fault.name, fault.run(round)).catch(note);
  for (const undo of undoings.toReversed())
    await within(undoSeconds, "all is as before", Promise.resolve(undo())).catch(note);
  await hush().catch(note);
  if (skipped === undefined) {
    await round.probe().catch(note);
    await brokenInvariants(world, callers, random).then((broken) => reasons.push(...broken), note);
  }
  return {
    outcome: reasons.length > 0 ? "broken" : skipped === undefined ? "held" : "skipped",
    reasons: reasons.length > 0 ? reasons : skipped === undefined ? [] : [skipped],
    probes,
    seconds: (performance.now() - started) / 1_000,
    ...callers.counts(),
  };
}
