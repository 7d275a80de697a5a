import { Readable } from "node:stream";
import { afterAll, beforeAll, expect } from "vitest";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { noModels } from "../admin/no-models.ts";
import { recognizer } from "../admin/recognizer.ts";
import type { TestService } from "./start-test-service.ts";
import { directoryOfTests } from "./temporary-directory.ts";

export interface Operator {
  /** A command line, carried out by the service that runs. */
  operate(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** Somebody at the machine of the service of the tests around, who reaches it by its socket. */
export function operatorOfTests(service: TestService): Operator {
  const directory = directoryOfTests();
  let socket: Awaited<ReturnType<typeof startAdminSocket>> | undefined;
  beforeAll(async () => {
    socket = await startAdminSocket({
      path: adminSocketPath(directory),
      store: service.store,
      clock: service.clock,
      recognizer,
      onError: (error) => expect.fail(String(error)),
    });
  });
  afterAll(() => socket?.close());
  const parts = () => ({
    dataDirectory: directory,
    databaseUrl: undefined,
    clock: service.clock,
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
  };
}
