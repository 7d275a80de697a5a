import { rememberedRequests } from "@reelscript/contract";
import type { KeyRequest, KeyRequests, PeriodicTask } from "../ports.ts";
import type { AnsweredCall } from "../run/run.ts";

/** Stores the last requests of each key without delaying any of them; a killed process loses its last second. */
export function createRequestLog({
  keyRequests,
  onFault,
}: {
  readonly keyRequests: Pick<KeyRequests, "add">;
  readonly onFault: (error: unknown) => void;
}) {
  let waiting = new Map<string, KeyRequest[]>();
  let writing: Promise<void> = Promise.resolve();

  /** Writes the remembered calls. */
  function write(): Promise<void> {
    writing = writing.then(async () => {
      // Taken only now, so that a slow database is given fewer and larger batches.
      const batch = waiting;
      waiting = new Map();
      await keyRequests.add(batch).catch(onFault);
    });
    return writing;
  }

  return {
    /** Notes a call of a key, to be written in a batch. */
    note: ({ caller, operation, door, status, at }: AnsweredCall): void => {
      if (caller.kind !== "key" || door === "people") return;
      const requests = waiting.get(caller.key.id) ?? [];
      waiting.set(caller.key.id, requests);
      requests.push({ at, operation, door, status });
      if (requests.length > rememberedRequests) requests.shift();
    },
    write,
    /** Writes about once a second. */
    task: {
      name: "write-request-log",
      everySeconds: 1,
      scope: "process",
      async run() {
        if (waiting.size > 0) await write();
        return false;
      },
    } satisfies PeriodicTask,
  };
}
