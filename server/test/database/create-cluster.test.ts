import { execFile } from "node:child_process";
import { chmod, chown, mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { preparedDirectory } from "../../src/adapters/database/prepared-database.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

describe("the database beside the built program", () => {
  test("may be read by whoever runs the program", async () => {
    const directory = await preparedDirectory();
    const entries = await readdir(directory, { recursive: true });
    expect(entries.length).toBeGreaterThan(100);
    for (const entry of ["", ...entries]) {
      const stats = await stat(path.join(directory, entry));
      const forOthers = stats.isDirectory() ? 0o005 : 0o004;
      expect(stats.mode & forOthers, entry).toBe(forOthers);
    }
  });

  test.skipIf(!isRoot)("becomes another user's own database (runs as root)", async () => {
    const directory = directoryOfTest();
    await chmod(directory, 0o755);
    const ownFolder = path.join(directory, "own");
    await mkdir(ownFolder);
    await chown(ownFolder, nobody, nobody);
    const program = `
      const { openStore } = await import(${JSON.stringify(new URL("../../dist/adapters/database/open-store.js", import.meta.url).href)});
      const { preparedDirectory } = await import(${JSON.stringify(new URL("../../dist/adapters/database/prepared-database.js", import.meta.url).href)});
      const prepared = await preparedDirectory();
      const store = await openStore({ prepared, dataDirectory: ${JSON.stringify(path.join(ownFolder, "data"))}, newId: (prefix) => prefix + "_1" });
      const { id } = await store.accounts.create({ email: "a@example.test", plan: "free", now: new Date() });
      console.log((await store.accounts.find(id)).email);
      await store.close();`;
    const asNobody = { uid: nobody, gid: nobody, cwd: ownFolder };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], asNobody);
    expect(stdout.trim()).toBe("a@example.test");
    const clusterFolder = await stat(path.join(ownFolder, "data", "database"));
    expect([clusterFolder.uid, clusterFolder.mode & 0o777]).toEqual([nobody, 0o700]);
  });
});
