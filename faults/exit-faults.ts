import { setTimeout as pause } from "node:timers/promises";
import type { Fault, Round } from "./run-round.ts";
import { until } from "./waiting.ts";

const reelsOfOutage = 30;
const outageSeconds = 20;
/** An exit rests a minute after a failure, and longer after another one. */
const afterwardSeconds = 240;
/** Reels of a batch that are done when the wall comes up. */
const doneBeforeWall = 4;

/** The exits of the workers fail, so nobody knows what the platform would say: reels wait, and none fails. */
export const exitFaults: Fault[] = [
  { name: "exits cut while reels wait", seconds: 360, run: (round) => cutProxies(round) },
  { name: "exits walled in the middle of a batch", seconds: 360, run: (round) => wallBatch(round) },
];

async function cutProxies(round: Round): Promise<void> {
  const { world, callers } = round;
  const { publicPlatform } = world;
  const { key } = world.accounts.ben;
  const api = world.apis()[0]!;
  const reels = await addReels(round);
  publicPlatform.setProxies("cut");
  round.undo(() => publicPlatform.setProxies("open"));
  const ids: string[] = [];
  for (const reel of reels) {
    const { status, body } = await callers.transcribe(api, world.accounts.ben, reel, { asynchronous: true });
    if (status === 202) ids.push(String(body.id));
    else round.broken(`${reel.url} was answered with ${status} while no proxy opens a tunnel`);
  }
  const count = async (status: string): Promise<number> => {
    const answers = await Promise.all(ids.map((id) => callers.send(api, `/api/v1/transcriptions/${id}`, { key })));
    return answers.filter(({ body }) => body?.status === status).length;
  };
  await pause(outageSeconds * 1_000);
  // Reels of another platform aren't kept waiting by it.
  await round.probe();
  if ((await count("done")) > 0) throw new Error("a reel came although no proxy opens a tunnel");
  publicPlatform.setProxies("open");
  await until(
    afterwardSeconds * world.patience,
    "every reel is transcribed after the outage",
    async () => (await count("done")) + (await count("failed")) === ids.length,
    { every: 1_000 },
  ).finally(async () => round.note(`${await count("failed")} of ${ids.length} reels failed`));
  if ((await count("failed")) > 0) round.broken("reels failed because no proxy opened a tunnel");
}

async function wallBatch(round: Round): Promise<void> {
  const { world, callers } = round;
  const { publicPlatform } = world;
  const { key } = world.accounts.cleo;
  const api = world.apis()[0]!;
  const urls = (await addReels(round)).map(({ url }) => url);
  const { status, body } = await callers.send(api, "/api/v1/transcriptions", { method: "POST", key, body: { urls } });
  if (status !== 202) throw new Error(`a batch was answered with ${status}`);
  const counts = async (): Promise<Record<"done" | "failed", number>> =>
    (await callers.send(api, `/api/v1/batches/${body.id}`, { key })).body.counts;
  const first = async (): Promise<boolean> => (await counts()).done >= doneBeforeWall;
  await until(world.probeSeconds * doneBeforeWall, "the batch has begun", first, { every: 200 });
  publicPlatform.setWall(true);
  round.undo(() => publicPlatform.setWall(false));
  await pause(outageSeconds * 1_000);
  await round.probe();
  const during = await counts();
  publicPlatform.setWall(false);
  const isOver = async (): Promise<boolean> => {
    const { done, failed } = await counts();
    return done + failed === urls.length;
  };
  await until(afterwardSeconds * world.patience, "the batch ends after the wall", isOver, { every: 1_000 });
  const { failed } = await counts();
  round.note(`${during.done} of ${urls.length} reels were done before the wall, and ${failed} failed`);
  if (during.done === urls.length) round.broken("the wall came too late to meet a reel");
  if (failed > 0) round.broken(`${failed} of ${urls.length} reels failed because of a wall`);
}

const addReels = ({ world }: Round) =>
  Promise.all(Array.from({ length: reelsOfOutage }, () => world.addPublicReel("shortest")));
