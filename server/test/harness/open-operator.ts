import { afterAll, beforeAll, expect } from "vitest";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { recognizer } from "../admin/recognizer.ts";
import { operate } from "../admin/run-program.ts";
import type { TestService } from "./start-test-service.ts";
import { directoryOfTests } from "./temporary-directory.ts";

/** An operator on the machine of the surrounding tests' service, connected by its socket. */
export function operatorOfTests(service: TestService) {
  const directory = directoryOfTests();
  let socket: Awaited<ReturnType<typeof startAdminSocket>> | undefined;
  beforeAll(async () => {
    socket = await startAdminSocket({
      path: adminSocketPath(directory),
      store: service.store,
      clock: service.clock,
      recognizer,
      invitationSite: service.url,
      onError: (error) => expect.fail(String(error)),
    });
  });
  afterAll(() => socket?.close());
  return {
    operate: (...args: string[]) => operate(args, { directory, environment: { DATA_DIR: directory } }),
  };
}
