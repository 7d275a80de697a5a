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

/** Whether something failed because this machine has no room, memory or files left: another one may do better. */
export function isFaultOfMachine(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < mostCauses && at instanceof Error; depth += 1) {
    if ("code" in at && "syscall" in at && codes.has(at.code)) return true;
    at = at.cause;
  }
  return false;
}
