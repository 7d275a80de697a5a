export { FileLockHeld, takeFileLock, type FileLock, type FileLockOptions } from "./file-lock/take-file-lock.ts";
export type { LockHolder } from "./file-lock/lock-holder.ts";
