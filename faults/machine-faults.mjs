import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";
import { isRecognizer } from "./processes.mjs";
import { reachStage } from "./reach-stage.mjs";
import { Broken, Impossible, until } from "./waiting.mjs";

const diskOptions = "size=24m,nr_inodes=500,mode=0711";
const clockLibraries = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib64/faketime/libfaketime.so.1",
  "/usr/local/lib/faketime/libfaketime.so.1",
];

/** What a disk can run out of, before a worker claims a reel and while it has one in hand. */
const diskFaults = ["bytes", "files"].flatMap((what) =>
  ["before", "with a reel in hand"].map((when) => ({
    name: `disk out of ${what} ${when}`,
    run: (round) => fillDisk(round, what, when),
  })),
);
const clockFaults = ["+45s", "-45s"].flatMap((offset) =>
  ["worker", "api"].map((role) => ({
    name: `clock ${offset} ${role}`,
    run: (round) => shiftClock(round, role, offset),
  })),
);

export const machineFaults = [
  ...diskFaults,
  ...clockFaults,
  { name: "memory recognizer", run: (round) => takeMemory(round) },
];

/** A command that runs a program with a small file system of its own at its data folder. */
function smallDisk() {
  const user = process.getuid() === 0 ? [] : ["--user", "--map-root-user"];
  const script = `mount -t tmpfs -o ${diskOptions} none "$DATA_DIR" && exec "$@"`;
  const wrap = ["unshare", ...user, "--mount", "sh", "-c", script, "sh"];
  try {
    execFileSync(wrap[0], [...wrap.slice(1), "true"], {
      env: { PATH: process.env.PATH, DATA_DIR: "/mnt" },
      stdio: "pipe",
    });
  } catch (error) {
    throw new Impossible(`a small file system cannot be mounted: ${(error.stderr ?? error.message).toString().trim()}`);
  }
  return wrap;
}

async function restarted(round, member, options) {
  await member.stop();
  round.undo(async () => {
    await member.stop();
    await member.start();
  });
  await member.start(options);
}

async function fillDisk(round, what, when) {
  const { world } = round;
  if (!world.isFleet) throw new Impossible("the embedded database would be on the full disk, too");
  const wrap = smallDisk();
  const [sick, healthy] = world.workers();
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
  // The other one must not have it first.
  healthy.freeze();
  round.undo(() => healthy.thaw());
  const scene = await reachStage("claimed", round);
  round.undo(() => scene.letGo());
  healthy.thaw();
  const empty = fill(folder, what);
  await scene.letGo();
  await round.probe();
  await round.served(scene);
  empty();
}

/** Returns what makes room again. */
function fill(folder, what) {
  const fillers = [];
  const add = () => {
    fillers.push(path.join(folder, `filler-${fillers.length}`));
    return openSync(fillers.at(-1), "w");
  };
  try {
    if (what === "files") for (;;) closeSync(add());
    const file = add();
    const piece = Buffer.alloc(65_536);
    for (;;) writeSync(file, piece);
  } catch (error) {
    if (error.code !== "ENOSPC") throw error;
  }
  const { bfree, ffree } = statfsSync(folder);
  if ((what === "files" ? ffree : bfree) > 0) throw new Error(`the disk is not full: ${bfree} blocks, ${ffree} files`);
  return () => fillers.forEach((one) => rmSync(one, { force: true }));
}

async function shiftClock(round, role, offset) {
  const { world } = round;
  const library = clockLibraries.find((file) => existsSync(file));
  if (!library) throw new Impossible("libfaketime is not installed");
  const [wrong, other] = role === "api" ? world.apis() : world.workers();
  const extra = { LD_PRELOAD: library, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  await restarted(round, wrong ?? world.members[0], { extra });
  const scene = await reachStage("recognizing", round);
  round.undo(() => scene.letGo());
  await round.probe();
  await round.served(scene);
  if (!world.isFleet || role === "api") return;
  // Whichever of the two has a reel in hand, the other leaves it alone.
  for (const [idle, busy] of [
    [wrong, other],
    [other, wrong],
  ]) {
    idle.freeze();
    round.undo(() => idle.thaw());
    const held = await reachStage("fetching", round);
    round.undo(() => held.letGo());
    idle.thaw();
    await round.probe();
    await until(8, "the idle worker had time to look", async () => idle.isUp);
    const [{ attempt }] = await world.query("select attempt from transcription where media_id = $1", [
      held.reel.mediaId,
    ]);
    await held.letGo();
    await round.served(held);
    if (attempt !== 1) throw new Broken(`a reel was taken from ${busy.name}, which was at work on it`);
  }
}

async function takeMemory(round) {
  const { world } = round;
  const scene = await reachStage("claimed", round);
  round.undo(() => scene.letGo());
  const victim = await until(20, "a recognizer runs", () => scene.worker.children().find(isRecognizer));
  try {
    execFileSync("prlimit", ["--pid", String(victim.processId), "--as=1000000"], { stdio: "pipe" });
  } catch (error) {
    throw new Impossible(`prlimit: ${error.message}`);
  }
  await scene.letGo();
  if (world.isFleet) await round.probe();
  await round.served(scene);
}
