import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const migrationsFolder = "server/src/adapters/database/migrations";
/** The packages that the service needs; the dashboard is this tree's, because its tools would take another minute. */
const packages = ["contract", "whisper", "platform-standin", "server"] as const;

const run = async (file: string, args: readonly string[], cwd: string): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd, maxBuffer: 100_000_000 })).stdout.trim();

/**
 * The commit of a release with this last migration: the last one before the next of `migrations` came. `undefined` where the
 * history of the checkout in `root` doesn't reach so far.
 */
export async function commitOfRelease(
  root: string,
  lastMigration: string,
  migrations: readonly string[],
): Promise<string | undefined> {
  const next = migrations[migrations.indexOf(lastMigration) + 1];
  if (next === undefined) return undefined;
  try {
    const file = `${migrationsFolder}/${next}.ts`;
    const added = await run("git", ["log", "--diff-filter=A", "--format=%H", "-1", "--", file], root);
    return await run("git", ["rev-parse", "--verify", "--quiet", `${added}^`], root);
  } catch {
    return undefined;
  }
}

/** Builds the service of a commit in `folder`, with the libraries of the checkout in `root`. Throws with the complaint. */
export async function buildRelease(root: string, commit: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = path.join(folder, "tree.tar");
  await run("git", ["archive", "--output", archive, commit], root);
  await run("tar", ["-xf", archive, "-C", folder], root);
  await rm(archive);
  await linkLibraries(root, folder);
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, "--build", "--noCheck", ...packages], folder).catch((error: unknown) => {
    const { stdout = "", message } = error as Error & { readonly stdout?: string };
    throw new Error(`The release of ${commit} doesn't build with these libraries: ${stdout || message}`);
  });
  const dashboard = "web/dist";
  if (existsSync(path.join(root, dashboard)))
    await cp(path.join(root, dashboard), path.join(folder, dashboard), { recursive: true });
}

/** The release has its own packages, and links to all others. */
async function linkLibraries(root: string, folder: string): Promise<void> {
  const ownScope = "@reelscript";
  for (const place of ["node_modules", ...packages.map((name) => `${name}/node_modules`)]) {
    if (!existsSync(path.join(root, place))) continue;
    await mkdir(path.join(folder, place), { recursive: true });
    for (const name of await readdir(path.join(root, place)))
      if (name !== ownScope) await symlink(path.join(root, place, name), path.join(folder, place, name));
  }
  await mkdir(path.join(folder, "node_modules", ownScope), { recursive: true });
  for (const name of packages)
    await symlink(path.join(folder, name), path.join(folder, "node_modules", ownScope, name));
}
