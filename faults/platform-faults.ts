import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { AddedReel } from "@reelscript/platform-standin";
import type { Fault, Round } from "./run-round.ts";

const html = Buffer.from("<!doctype html><title>Log in</title>".repeat(50));
/** Reels whose media or pages are not as announced. */
const lies: Readonly<Record<string, AddedReel>> = {
  "half a body": { fault: { name: "midBodyCut" } },
  "more bytes announced than sent": { fault: { name: "lengthTooLong" } },
  "fewer bytes announced than sent": { fault: { name: "lengthTooShort" } },
  "a body without an end": { fault: { name: "endlessBody" } },
  "a body far too large": { fault: { name: "declaredBytes", bytes: 4_000_000_000 } },
  "a loop of redirects": { fault: { name: "redirectLoop" } },
  "a redirect to another host": { fault: { name: "redirectToForbidden" } },
  "no media": { fault: { name: "notFound" } },
  "a page for a video": { bytes: html },
  "noise for a video": { bytes: randomBytes(200_000) },
  "nothing for a video": { bytes: Buffer.alloc(0) },
  "a page that never ends": { wall: "endlessJson" },
  "half a page": { wall: "midBodyCut" },
  "another shape": { wall: "schemaDrift" },
  "a wall": { wall: "tooManyRequests" },
};
const groupSize = 5;

const names = Object.keys(lies);
const groups = Array.from({ length: Math.ceil(names.length / groupSize) }, (_, index) =>
  names.slice(index * groupSize, (index + 1) * groupSize),
);

export const platformFaults: Fault[] = [
  ...groups.map((group, index) => ({ name: `platform lies ${index + 1}`, run: (round: Round) => lie(round, group) })),
  { name: "platform drips", run: (round) => drip(round) },
  { name: "platform cut off from all", seconds: 180, run: (round) => loseForAll(round, "cut") },
  { name: "platform silent to all", seconds: 180, run: (round) => loseForAll(round, "silent") },
];

async function lie(round: Round, group: readonly string[]): Promise<void> {
  const { world, callers, random } = round;
  const api = random.pick(world.apis());
  const answers = await Promise.all(
    group.map(async (name) => callers.transcribe(api, world.accounts.ben, await world.addReel("short", lies[name]))),
  );
  for (const [index, { status }] of answers.entries())
    if (status === 200 && group[index] !== "fewer bytes announced than sent")
      round.broken(`${group[index]}: a transcript was made of it`);
  await round.probe();
}

/** Occupies all but one of the workers' places with reels whose media never end. */
async function drip(round: Round): Promise<void> {
  const { world, callers } = round;
  const api = world.apis()[0]!;
  const fault = { name: "slowDrip" } as const;
  const count = world.workers().length * 2 - 1;
  const reels = await Promise.all(Array.from({ length: count }, () => world.addReel("short", { fault })));
  const answers = reels.map((reel) => callers.transcribe(api, world.accounts.ben, reel));
  await round.probe();
  // They would run for minutes.
  const breaking = setInterval(() => world.workers().forEach(({ door }) => door.breakMedia()), 1_000);
  await Promise.all(answers).finally(() => clearInterval(breaking));
}

const outageSeconds = 15;
const reelsOfOutage = 6;

/** No worker gets an answer for a while: reels wait, and none fails permanently. */
async function loseForAll(round: Round, mode: "cut" | "silent"): Promise<void> {
  const { world, callers } = round;
  const doors = world.workers().map(({ door }) => door);
  const open = (): void => doors.forEach((door) => door.set({ page: "open", media: "open" }));
  for (const door of doors) door.set({ page: mode, media: mode });
  round.undo(open);
  const reels = await Promise.all(Array.from({ length: reelsOfOutage }, () => world.addReel("shortest")));
  const answers = reels.map((reel) => callers.transcribe(world.apis()[0]!, world.accounts.ben, reel));
  await pause(outageSeconds * 1_000);
  open();
  const failed = (await Promise.all(answers)).filter(({ status }) => status !== 200);
  round.note(`${failed.length} of ${reels.length} reels failed in ${outageSeconds} s without the platform`);
  if (failed.length > 0) round.broken(`${failed.length} of ${reels.length} reels failed during an outage`);
  await round.probe();
}
