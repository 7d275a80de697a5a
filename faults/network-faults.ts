import { setTimeout as pause } from "node:timers/promises";
import { reachStage } from "./reach-stage.ts";
import type { Fault, Round } from "./run-round.ts";
import { Impossible } from "./waiting.ts";

const seconds = 5;
const stagesOfNetwork = ["claimed", "fetching", "recognizing", "completing"] as const;

/** The ways to the database of one process or of all, broken or turned into black holes. */
const databaseWays: Fault[] = (["api", "worker", "everyone"] as const).flatMap((who) =>
  (["cut", "silence"] as const).map((trouble) => ({
    name: `network ${trouble} database of ${who}`,
    run: (round) => loseDatabase(round, who, trouble),
  })),
);

const platformWays: Fault[] = (["cut", "silent", "slow"] as const).map((mode) => ({
  name: `network ${mode} platform of one worker`,
  run: (round) => losePlatform(round, mode),
}));

export const networkFaults: Fault[] = [...databaseWays, ...platformWays];

async function loseDatabase(
  round: Round,
  who: "api" | "worker" | "everyone",
  trouble: "cut" | "silence",
): Promise<void> {
  const { world, random } = round;
  if (!world.isFleet) throw new Impossible("no PostgreSQL server is installed");
  const scene = await reachStage(random.pick(stagesOfNetwork), round);
  const members = who === "everyone" ? world.members : [scene[who]];
  for (const { way } of members) way![trouble]();
  round.undo(() => members.forEach(({ way }) => way!.open()));
  await scene.letGo();
  if (who === "everyone") await pause(seconds * 1_000);
  // Other processes don't notice.
  else await Promise.all([round.probe({ not: scene[who] }), pause(seconds * 1_000)]);
  for (const { way } of members) way!.open();
  await round.served(scene);
}

/** One worker no longer gets anything from the platform; a reel that it has in hand may fail, cleanly. */
async function losePlatform(round: Round, mode: "cut" | "silent" | "slow"): Promise<void> {
  const { world } = round;
  const worker = world.workers()[0]!;
  const { ada } = world.accounts;
  worker.door.set({ media: mode, ...(mode !== "slow" && { page: mode }) });
  round.undo(() => worker.door.set({ page: "open", media: "open" }));
  const reels = await Promise.all([world.addReel(), world.addReel()]);
  const answers = reels.map((reel) => round.callers.transcribe(world.apis()[0]!, ada, reel));
  if (world.isFleet) await round.probe();
  worker.door.set({ page: "open", media: "open" });
  for (const [index, reel] of reels.entries()) await round.served({ reel, account: ada, answer: answers[index]! });
}
