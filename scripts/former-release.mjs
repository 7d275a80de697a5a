import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const migrationsFolder = "server/src/adapters/database/migrations";
/** What the service needs; the dashboard is this tree's, because its tools would take another minute. */
const packages = ["contract", "whisper", "platform-standin", "server"];

/**
 * @param {string} file
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function run(file, args, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd, encoding: "utf8", maxBuffer: 100_000_000 });
  return { isDone: status === 0, text: stdout?.trim() ?? "", complaint: `${error?.message ?? ""}${stdout}${stderr}` };
}

/**
 * The commit that a release with this last migration had: the last one before the next migration came. `undefined` where the
 * history doesn't reach so far.
 * @param {string} lastMigration
 * @param {readonly string[]} migrations The names of all.
 * @returns {string | undefined}
 */
export function commitOfRelease(lastMigration, migrations) {
  const next = migrations[migrations.indexOf(lastMigration) + 1];
  if (next === undefined) return undefined;
  const added = run("git", ["log", "--diff-filter=A", "--format=%H", "-1", "--", `${migrationsFolder}/${next}.ts`]).text;
  const before = added === "" ? undefined : run("git", ["rev-parse", "--verify", "--quiet", `${added}^`]);
  return before?.isDone ? before.text : undefined;
}

/**
 * Builds the service of a commit in a folder, with the libraries of this tree. Throws with the compiler's complaint.
 * @param {string} commit
 * @param {string} folder
 */
export async function buildRelease(commit, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = path.join(folder, "tree.tar");
  for (const { isDone, complaint } of [
    run("git", ["archive", "--output", archive, commit]),
    run("tar", ["-xf", archive, "-C", folder]),
  ])
    if (!isDone) throw new Error(complaint);
  await rm(archive);
  await linkLibraries(folder);
  const compiler = path.join(folder, "node_modules/typescript/bin/tsc");
  const built = run(process.execPath, [compiler, "--build", "--noCheck", ...packages], folder);
  if (!built.isDone) throw new Error(`The release of ${commit} doesn't build with these libraries.\n${built.complaint}`);
  if (existsSync(path.join(root, "web/dist")))
    await cp(path.join(root, "web/dist"), path.join(folder, "web/dist"), { recursive: true });
}

/**
 * The release's own packages, and links to all others.
 * @param {string} folder
 */
async function linkLibraries(folder) {
  for (const place of ["node_modules", ...packages.map((name) => `${name}/node_modules`)]) {
    if (!existsSync(path.join(root, place))) continue;
    await mkdir(path.join(folder, place), { recursive: true });
    for (const name of await readdir(path.join(root, place)))
      if (name !== "@reelscript")
        await symlink(path.join(root, place, name), path.join(folder, place, name)).catch(() => undefined);
  }
  await mkdir(path.join(folder, "node_modules/@reelscript"), { recursive: true });
  for (const name of packages)
    await symlink(path.join(folder, name), path.join(folder, "node_modules/@reelscript", name));
}
