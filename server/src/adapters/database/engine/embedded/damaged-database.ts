import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../unavailable.ts";
import { listBackups } from "../../backups/backups.ts";

/** Faults of the machine, which say nothing about the files. */
const machineFaults = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EIO", "ENOMEM"]);
/** SQL states of unreadable data: corrupt data and indexes, missing files, and internal errors. */
const damageStates = /^(?:XX\w{3}|58\w{3})$/;

/** The embedded database can't be opened in its current state. The message tells the operator in one sentence what to do. */
class DamagedDatabase extends Error {
  override readonly name = "DamagedDatabase";
}

/** True when a statement's error says that the files are damaged, or that the engine crashed on them. */
export const saysDamage = (error: unknown): boolean =>
  damageStates.test(codeOf(error) ?? "") || (error instanceof Error && error.name === "RuntimeError");

/** Explains to an operator why the database couldn't be opened; a fault of the machine is returned unchanged. */
export async function explainDamage(
  error: unknown,
  { database, backups }: { readonly database: string; readonly backups: string },
): Promise<unknown> {
  if (error instanceof DamagedDatabase || isOfMachine(error)) return error;
  const newest = (await listBackups(backups)).at(-1);
  const advice =
    newest === undefined
      ? `there is no backup in ${backups}, so restore a copy of your own with \`npx --no-install reelscript backup restore FILE\`, or move the folder away to start with an empty database`
      : `restore the newest backup with \`npx --no-install reelscript backup restore ${shellWord(newest)}\`, which keeps the damaged files beside it`;
  return new DamagedDatabase(`The database in ${database} is damaged (${reasonOf(error)}): ${advice}.`, {
    cause: error,
  });
}

const isOfMachine = (error: unknown): boolean =>
  (error instanceof RangeError && /memory/i.test(error.message)) || machineFaults.has(codeOf(error) ?? "");

/** Quotes the database's own message if there is one; after a crash there is none. */
function reasonOf(error: unknown): string {
  const complaint = error instanceof Error ? error.message.split("\n")[0]!.trim() : "";
  if (
    complaint === "" ||
    /abort|unreachable|exit|out of bounds|null function|signature|failed to initialize/i.test(complaint)
  )
    return "it can't be read";
  return complaint.slice(0, 200).replace(/(?<![.:])[.:]+$/, "");
}

const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

const needed = [
  "PG_VERSION",
  "global/pg_control",
  "global/pg_filenode.map",
  "base",
  "pg_wal",
  "pg_xact",
  "pg_multixact",
];

/**
 * Throws if a folder has content but no complete database: the engine would create a new one in it. An empty folder is fine.
 */
export async function checkFiles(directory: string): Promise<void> {
  if ((await readdir(directory)).length === 0) return;
  for (const name of needed) {
    const stats = await stat(path.join(directory, name)).catch(() => undefined);
    if (stats === undefined) throw new Error(`${name} is missing`);
    if (stats.isFile() && stats.size === 0) throw new Error(`${name} is empty`);
  }
}
