import { mkdir, statfs } from "node:fs/promises";

const firstPause = 1_000;
const longestPause = 60_000;
/** A transcription takes a few files; other parts of the service need some too. */
const fewestFiles = 100;

/** Whether the machine of this worker can take another transcription. */
export interface MachineHealth {
  /** False while the disk is full, and while the machine rests after it failed a transcription. */
  mayClaim(): Promise<boolean>;
  /** True if the machine was healthy at the last claim, and isn't resting. */
  isWell(): boolean;
  /** True if the disk had room at the last claim. */
  hasRoom(): boolean;
  /** The machine failed a transcription. The worker rests longer after each failure in a row: 1 s, 2 s, up to 60 s. */
  failed(): void;
  succeeded(): void;
}

export function createMachineHealth(needs: {
  readonly workDirectory: string;
  readonly maxMediaBytes: number;
  /** Called when the disk becomes unusable, and again after it was usable in between. */
  readonly onFault: (error: unknown) => void;
}): MachineHealth {
  const { workDirectory, maxMediaBytes, onFault } = needs;
  /** A source may write a file of its own before it returns the media. */
  const room = 2 * maxMediaBytes;
  let failures = 0;
  let restsUntil = 0;
  let isLacking = false;

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
    async mayClaim() {
      if (performance.now() < restsUntil) return false;
      const lack = await lacking().catch((error: unknown) => String(error));
      if (lack !== undefined && !isLacking)
        onFault(new Error(`Nothing is transcribed here for lack of room in ${workDirectory}: ${lack}`));
      isLacking = lack !== undefined;
      return !isLacking;
    },
    isWell: () => !isLacking && performance.now() >= restsUntil,
    hasRoom: () => !isLacking,
    failed() {
      restsUntil = performance.now() + Math.min(longestPause, firstPause * 2 ** failures);
      failures = Math.min(failures + 1, 10);
    },
    succeeded() {
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

/** True if something failed because this machine has no space, memory or files left: another one may succeed. */
export function isFaultOfMachine(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth += 1) {
    if ("code" in at && "syscall" in at && codes.has(at.code)) return true;
    at = at.cause;
  }
  return false;
}
