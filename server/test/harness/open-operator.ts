import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { expect } from "vitest";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { noModels } from "../admin/no-models.ts";
import { recognizer } from "../admin/recognizer.ts";
import type { TestService } from "./start-test-service.ts";

export interface Operator {
  /** A command line, carried out by the service that runs. */
  operate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
  close(): Promise<void>;
}

/** Somebody at the machine of the service, who reaches it by its socket. */
export async function openOperator({ store, clock }: Pick<TestService, "store" | "clock">): Promise<Operator> {
  const directory = await mkdtemp(path.join(tmpdir(), "reelscript-operator-"));
  const socket = await startAdminSocket({
    path: adminSocketPath(directory),
    store,
    clock,
    recognizer,
    onError: (error) => expect.fail(String(error)),
  });
  const parts = () => ({
    dataDirectory: directory,
    databaseUrl: undefined,
    clock,
    recognizer,
    ...noModels,
    openStore: () => expect.fail("the service holds it"),
    workingDirectory: directory,
    restoreBackup: () => expect.fail("nothing is restored"),
    patienceSeconds: 100,
  });
  return {
    async operate(...args) {
      let [stdout, stderr] = ["", ""];
      const code = await runAdmin(args, parts, {
        stdout: { write: (text: string) => (stdout += text) },
        stderr: { write: (text: string) => (stderr += text) },
        stdin: Readable.from([]),
      });
      return { code, stdout, stderr };
    },
    async close() {
      await socket.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
