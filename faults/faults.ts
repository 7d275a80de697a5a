import { fillDisk, loseDatabase, losePlatform, shiftClock, takeMemory } from "./break-machines.ts";
import { completeLate, type Strike, strikeAt, targets, workLong } from "./break-processes.ts";
import { callerFaults } from "./caller-faults.ts";
import { databaseFaults } from "./database-faults.ts";
import { exitFaults } from "./exit-faults.ts";
import { greedyFaults } from "./greedy-faults.ts";
import { operationFaults } from "./operation-faults.ts";
import { mediaFaults } from "./media-faults.ts";
import { passwordFaults } from "./password-faults.ts";
import { platformFaults } from "./platform-faults.ts";
import { stages } from "./reach-stage.ts";
import type { Fault, Round } from "./run-round.ts";

/** Kills and freezes every process at every stage of a transcription that it takes part in. */
const strikes: Fault[] = targets.flatMap((target) =>
  (["kill", "freeze"] satisfies Strike[]).flatMap((strike) =>
    stages
      // A decoder process lives only while it decodes.
      .filter((stage) => target !== "decoder" || stage === "decoding")
      .map((stage) => ({
        name: `${strike} ${target} ${stage}`,
        run: (round: Round) => strikeAt(round, { target, strike, stage }),
      })),
  ),
);

const fault = (name: string, run: Fault["run"]): Fault => ({ name, run });

/** All faults by their subject: processes, the database, routes, machines, the platform, callers, operations, leases. */
export const faults: readonly Fault[] = [
  ...strikes,
  ...databaseFaults,
  ...(["api", "worker", "everyone"] as const).flatMap((who) => [
    fault(`network cut database of ${who}`, (round) => loseDatabase(round, who, "cut")),
    fault(`network silence database of ${who}`, (round) => loseDatabase(round, who, "silence")),
  ]),
  ...(["cut", "silent", "slow"] as const).map((mode) =>
    fault(`network ${mode} platform of one worker`, (round) => losePlatform(round, mode)),
  ),
  ...(["bytes", "files"] as const).flatMap((what) => [
    fault(`disk out of ${what} before`, (round) => fillDisk(round, what, "before")),
    fault(`disk out of ${what} with a reel in hand`, (round) => fillDisk(round, what, "with a reel in hand")),
    fault(`disk out of ${what} in the middle of a reel`, (round) => fillDisk(round, what, "in the middle of a reel")),
  ]),
  // Beyond an hour, a machine believes itself rather than the database.
  ...["+45s", "-45s", "+3h"].flatMap((offset) => [
    fault(`clock ${offset} worker`, (round) => shiftClock(round, "worker", offset)),
    fault(`clock ${offset} api`, (round) => shiftClock(round, "api", offset)),
  ]),
  fault("memory recognizer", takeMemory),
  ...mediaFaults,
  ...passwordFaults,
  ...platformFaults,
  ...exitFaults,
  ...callerFaults,
  ...greedyFaults,
  ...operationFaults,
  fault("lease kept for long work", workLong),
  fault("lease lost before completing", completeLate),
];
