import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, utimes } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { takeKernelName, type KernelName } from "./kernel-name.ts";
import { createHolder, isAlive, readMark, type LockHolder, type LockMark } from "./lock-holder.ts";

const beatMilliseconds = 5_000;
const silentMilliseconds = 30_000;
const pollMilliseconds = 200;
const settleMilliseconds = 150;

export interface FileLock {
  release(): Promise<void>;
}

export interface FileLockOptions {
  /** How long to wait, in milliseconds, for a holder that is seen to live and may be ending; and for one that can't be seen. */
  readonly patience: { readonly ending: number; readonly silent: number };
  /** After so long without a sign of life a holder that cannot be seen is dead; 30 s unless given. */
  readonly silence?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once, when there is something to wait for. */
  readonly onWait?: ((holder: LockHolder | undefined) => void) | undefined;
}

/** Another process has the lock. */
export class FileLockHeld extends Error {
  override readonly name = "FileLockHeld";
  readonly holder: LockHolder | undefined;

  constructor(file: string, holder: LockHolder | undefined) {
    super(`${file} is locked by another process`);
    this.holder = holder;
  }
}

/** Locks of this process, by their nonces. */
const held = new Set<string>();

/**
 * Makes this process the only one that has the lock file. Two guards: a name at the kernel, and the file, which says who
 * has it and is touched again and again. What a dead process left is taken over. Throws `FileLockHeld` when patience ends,
 * and the signal's reason when it is aborted.
 */
export async function takeFileLock(file: string, options: FileLockOptions): Promise<FileLock> {
  const waiting = createWaiting(file, options);
  let name = await takeKernelName(file);
  while (name === "taken") {
    await waiting.forHolder(await readMark(file), true);
    name = await takeKernelName(file);
  }
  const holder = await createHolder();
  const text = JSON.stringify(holder);
  try {
    while (!(await writeNew(file, text))) {
      const mark = await readMark(file);
      const state = await stateOf(mark, options.silence ?? silentMilliseconds);
      if (state !== "dead") await waiting.forHolder(mark, state === "alive");
      else if (mark !== undefined && (await takeOver(file, mark, text))) break;
    }
  } catch (error) {
    await name?.release();
    throw error;
  }
  return hold(file, holder, name);
}

function hold(file: string, { nonce }: LockHolder, name: KernelName | undefined): FileLock {
  held.add(nonce);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, beatMilliseconds).unref();
  return {
    async release() {
      clearInterval(beat);
      held.delete(nonce);
      if ((await readMark(file))?.holder?.nonce === nonce) await rm(file, { force: true });
      await name?.release();
    },
  };
}

function createWaiting(file: string, { patience, signal, onWait }: FileLockOptions) {
  const began = performance.now();
  let first: LockMark | undefined;
  let told = false;
  return {
    /** Waits a moment for the holder, or throws when that was long enough. */
    async forHolder(mark: LockMark | undefined, isSeen: boolean): Promise<void> {
      if (first?.text !== mark?.text) first = mark;
      const hasBeaten = mark !== undefined && first !== undefined && mark.touchedAt > first.touchedAt;
      const longest = isSeen || hasBeaten ? patience.ending : patience.silent;
      const isOurs = mark?.holder !== undefined && held.has(mark.holder.nonce);
      if ((isOurs && longest !== Infinity) || performance.now() - began >= longest)
        throw new FileLockHeld(file, mark?.holder);
      if (!told) onWait?.(mark?.holder);
      told = true;
      await pause(Math.min(pollMilliseconds, longest), undefined, { signal });
    },
  };
}

async function stateOf(mark: LockMark | undefined, silence: number): Promise<"alive" | "dead" | "unseen"> {
  // Released at this moment, or not ours to read.
  if (mark === undefined) return "alive";
  const { holder, touchedAt } = mark;
  if (holder !== undefined && held.has(holder.nonce)) return "alive";
  const alive = holder && (await isAlive(holder));
  if (alive !== undefined) return alive ? "alive" : "dead";
  return Date.now() - touchedAt >= silence ? "dead" : "unseen";
}

/** Where only the file guards, two processes may find the same one left behind: the last to write it has it. */
async function takeOver(file: string, mark: LockMark, text: string): Promise<boolean> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(() => undefined);
  const taken = await readFile(aside, "utf8").catch(() => undefined);
  // Somebody else was faster and has the lock: give it back.
  if (taken !== undefined && taken !== mark.text) await rename(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
  if (!(await writeNew(file, text))) return false;
  await pause(settleMilliseconds);
  return (await readMark(file))?.text === text;
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(text);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
