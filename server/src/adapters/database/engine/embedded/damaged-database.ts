import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { codeOf } from "../unavailable.ts";
import { listBackups } from "../../backups/backups.ts";

/** Faults of the machine: the files may well be whole. */
const machineFaults = new Set(["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "EIO", "ENOMEM"]);
/** SQL states of data that can't be read: corrupt data and indexes, files that are not there, and whatever should never be. */
const damageStates = /^(?:XX\w{3}|58\w{3})$/;

/** The embedded database can't be opened as it is. The message is for the operator: what to do, in one sentence. */
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

/** The database's own words where it has some; where it only broke down there is nothing to quote. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message.split("\n")[0]!.trim() : "";
  if (said === "" || /abort|unreachable|exit|out of bounds|null function|signature|failed to initialize/i.test(said))
    return "it can't be read";
  return said.slice(0, 200).replace(/(?<![.:])[.:]+$/, "");
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
 * Throws when a folder holds something, but no whole database: the engine would make a new one in it. An empty one is fine.
 */
export async function checkFiles(directory: string): Promise<void> {
  if ((await readdir(directory)).length === 0) return;
  for (const name of needed) {
    const found = await stat(path.join(directory, name)).catch(() => undefined);
    if (found === undefined) throw new Error(`${name} is missing`);
    if (found.isFile() && found.size === 0) throw new Error(`${name} is empty`);
  }
}
