import { spawnSync } from "node:child_process";
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildClient, clientFolder as home } from "./build-client.ts";

/** Every file that a file reaches by relative imports, and the packages that they import. */
function reach(file: string, files = new Set<string>(), packages = new Set<string>()) {
  if (files.has(file)) return { files, packages };
  files.add(file);
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?\bfrom "([^"]+)"/gm,
  ))
    if (name.startsWith(".")) reach(path.resolve(path.dirname(file), name), files, packages);
    else packages.add(name);

  return { files, packages };
}

describe("the library", () => {
  it("runs in browsers: it imports the contract's requests and values only", () => {
    const clientReach = reach(path.join(home, "src/index.ts"));
    expect([...clientReach.packages].toSorted()).toEqual([
      "@reelscript/contract/requests",
      "@reelscript/contract/values",
    ]);
    expect([...clientReach.files].some((file) => file.includes(`${path.sep}cli${path.sep}`))).toBe(false);
    expect([...reach(path.join(home, "../contract/src/values.ts")).packages]).toEqual([]);
  });
});

describe("the program without what it may be missing", () => {
  let folder: string;
  beforeAll(() => {
    buildClient();
    folder = mkdtempSync(path.join(tmpdir(), "reelscript-test-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (program: string, ...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { encoding: "utf8", env: { PATH: "" } });

  it.runIf(process.platform === "linux")("says in one sentence that the disk is full", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [path.join(home, "bin/reelscript.js"), "help", "usage"], {
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect([status, stderr]).toEqual([
      1,
      "error: The disk is full. Free some space, and run the same command again.\n",
    ]);
  });

  it("says how to build it", () => {
    cpSync(path.join(home, "bin"), path.join(folder, "bare/bin"), { recursive: true });
    const { status, stdout, stderr } = run(path.join(folder, "bare/bin/reelscript.js"));
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("npm run build");
  });

  it("says where to create accounts, keys and backups without a local service", () => {
    const scope = path.join(folder, "alone/node_modules/@reelscript");
    mkdirSync(path.join(scope, "client"), { recursive: true });
    for (const part of ["bin", "dist", "package.json"])
      cpSync(path.join(home, part), path.join(scope, "client", part), { recursive: true });
    symlinkSync(path.join(home, "../contract"), path.join(scope, "contract"), "junction");
    const program = path.join(scope, "client/bin/reelscript.js");
    for (const noun of ["account", "key", "backup"]) {
      const { status, stdout, stderr } = run(program, noun, "create");
      expect([status, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/on the machine of the service/);
    }
    expect(run(program, "--help").status).toBe(0);
  });
});
