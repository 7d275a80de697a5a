import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { reachStage, rowOf } from "./reach-stage.ts";
import type { Round } from "./run-round.ts";
import { isRecognizer, type Member, type StartOptions } from "./start-member.ts";
import { Broken, Impossible, until } from "./waiting.ts";

const outageSeconds = 5;
const stagesOfNetwork = ["claimed", "fetching", "recognizing", "completing"] as const;
const diskOptions = "size=24m,nr_inodes=500,mode=0711";
const clockLibraries = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib64/faketime/libfaketime.so.1",
  "/usr/local/lib/faketime/libfaketime.so.1",
];

/** A command that runs a program with a small file system at its data folder. */
function smallDisk(): string[] {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"];
  const script = `mount -t tmpfs -o ${diskOptions} none "$DATA_DIR" && exec "$@"`;
  const wrap = ["unshare", ...user, "--mount", "sh", "-c", script, "sh"];
  try {
    execFileSync("unshare", [...wrap.slice(1), "true"], {
      env: { PATH: process.env.PATH, DATA_DIR: "/mnt" },
      stdio: "pipe",
    });
  } catch (error) {
    throw new Impossible(`a small file system cannot be mounted: ${complaintOf(error)}`);
  }
  return wrap;
}

/** The message of a program that ended badly. */
function complaintOf(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: Buffer; readonly message: string };
  return (stderr ?? message).toString().trim();
}

async function restarted(round: Round, member: Member, options: StartOptions): Promise<void> {
  await member.stop();
  round.undo(async () => {
    await member.stop();
    await member.start();
  });
  await member.start(options);
}

export async function fillDisk(
  round: Round,
  what: "bytes" | "files",
  when: "before" | "with a reel in hand" | "in the middle of a reel",
): Promise<void> {
  const { world } = round;
  if (!world.isFleet) throw new Impossible("the embedded database would be on the full disk, too");
  const wrap = smallDisk();
  const [sick, healthy] = world.workers() as [Member, Member];
  await restarted(round, sick, { wrap });
  const folder = path.join("/proc", String(sick.processId), "root", sick.dataDirectory);
  const account = world.accounts.ada;
  if (when === "before") {
    const empty = fill(folder, what);
    await round.probe();
    const reels = await Promise.all([world.addReel(), world.addReel()]);
    for (const reel of reels) await round.served({ reel, account });
    empty();
    return;
  }
  // The other worker must not get it first.
  healthy.freeze();
  round.undo(() => healthy.thaw());
  const scene = await reachStage(when === "with a reel in hand" ? "claimed" : "fetching", round);
  healthy.thaw();
  const empty = fill(folder, what);
  await scene.letGo();
  await round.probe();
  await round.served(scene);
  empty();
}

/** Returns a function that frees the space again. */
function fill(folder: string, what: "bytes" | "files"): () => void {
  const fillers: string[] = [];
  const add = (): number => {
    const filler = path.join(folder, `filler-${fillers.length}`);
    fillers.push(filler);
    return openSync(filler, "w");
  };
  try {
    if (what === "files") for (;;) closeSync(add());
    const file = add();
    const piece = Buffer.alloc(65_536);
    for (;;) writeSync(file, piece);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
  const { bfree, ffree } = statfsSync(folder);
  if ((what === "files" ? ffree : bfree) > 0) throw new Error(`the disk is not full: ${bfree} blocks, ${ffree} files`);
  return () => fillers.forEach((one) => rmSync(one, { force: true }));
}

export async function shiftClock(round: Round, role: "worker" | "api", offset: string): Promise<void> {
  const { world } = round;
  const library = clockLibraries.find((file) => existsSync(file));
  if (!library) throw new Impossible("libfaketime is not installed");
  const [wrong, other] = role === "api" ? world.apis() : world.workers();
  const extra = { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  await restarted(round, wrong ?? world.members[0]!, { extra });
  const scene = await reachStage("recognizing", round);
  await round.probe();
  await round.served(scene);
  if (!wrong || !other || role === "api") return;
  // If one of the two has a reel, the other ignores it.
  for (const [idle, busy] of [
    [wrong, other],
    [other, wrong],
  ] as const) {
    idle.freeze();
    round.undo(() => idle.thaw());
    const held = await reachStage("fetching", round);
    idle.thaw();
    await round.probe();
    await until(8, "the idle worker had time to look", async () => idle.isUp);
    const row = await rowOf(world, held.reel);
    await held.letGo();
    await round.served(held);
    if (row?.attempt !== 1) throw new Broken(`a reel was taken from ${busy.name}, which was at work on it`);
  }
}

export async function takeMemory(round: Round): Promise<void> {
  const { world } = round;
  const scene = await reachStage("claimed", round);
  const victim = await until(20, "a recognizer runs", () => scene.worker.children().find(isRecognizer));
  try {
    execFileSync("prlimit", ["--pid", String(victim.processId), "--as=1000000"], { stdio: "pipe" });
  } catch (error) {
    throw new Impossible(`prlimit: ${complaintOf(error)}`);
  }
  await scene.letGo();
  if (world.isFleet) await round.probe();
  await round.served(scene);
}

/** The route to the database, of one process or of all, breaks or becomes a black hole. */
export async function loseDatabase(
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
  if (who === "everyone") await pause(outageSeconds * 1_000);
  // Other processes are unaffected.
  else await Promise.all([round.probe({ not: scene[who] }), pause(outageSeconds * 1_000)]);
  for (const { way } of members) way!.open();
  await round.served(scene);
}

/** One worker no longer gets answers from the platform; the reel that it is working on may fail, but cleanly. */
export async function losePlatform(round: Round, mode: "cut" | "silent" | "slow"): Promise<void> {
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
