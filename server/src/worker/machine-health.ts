import { mkdir, statfs } from "node:fs/promises";

const firstPause = 1_000;
const longestPause = 60_000;
/** A transcription takes a few files; other parts of the service need some too. */
const fewestFiles = 100;

export type MachineHealth = ReturnType<typeof createMachineHealth>;

/** Decides if this worker may claim: not while its disk is full, nor for a while after its machine failed it. */
export function createMachineHealth(needs: {
  readonly workDirectory: string;
  readonly maxMediaBytes: number;
  /** Called when the disk becomes unusable, and again after it was usable in between. */
  readonly onFault: (error: unknown) => void;
}) {
  const { workDirectory, maxMediaBytes, onFault } = needs;
  /** A source may write a file of its own before it hands out the media. */
  const room = 2 * maxMediaBytes;
  let failures = 0;
  let restsUntil = 0;
  let told = false;

  async function lacking(): Promise<string | undefined> {
    await mkdir(workDirectory, { recursive: true, mode: 0o700 });
    const { bavail, bsize, files, ffree } = await statfs(workDirectory);
    const free = bavail * bsize;
    if (free < room) return `${Math.floor(free / 1_000_000)} MB are free, ${Math.ceil(room / 1_000_000)} MB are needed`;
    // Some file systems do not count files.
    if (files > 0 && ffree < fewestFiles) return `${ffree} more files are possible, ${fewestFiles} are needed`;
    return undefined;
  }

  return {
    async mayClaim(): Promise<boolean> {
      if (performance.now() < restsUntil) return false;
      const lack = await lacking().catch((error: unknown) => String(error));
      if (lack !== undefined && !told)
        onFault(new Error(`Nothing is transcribed here for lack of room in ${workDirectory}: ${lack}`));
      told = lack !== undefined;
      return !told;
    },
    /** True if the machine was well at the last claim, and isn't resting. */
    isWell: (): boolean => !told && performance.now() >= restsUntil,
    /** The worker rests longer after each failure in a row. */
    failed(): void {
      restsUntil = performance.now() + Math.min(longestPause, firstPause * 2 ** failures);
      failures = Math.min(failures + 1, 10);
    },
    succeeded(): void {
      failures = 0;
    },
  };
}

const codes: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EACCES",
  "EPERM",
  "ENOENT",
  "ENOTDIR",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "EAGAIN",
]);
const mostCauses = 10;

/** True if something failed because this machine has no room, memory or files left: another one may do better. */
export function isFaultOfMachine(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth += 1) {
    if ("code" in at && "syscall" in at && codes.has(at.code)) return true;
    at = at.cause;
  }
  return false;
}
