import { setTimeout as sleep } from "node:timers/promises";
import { type Batch, operations, ServiceError } from "@reelscript/contract";
import type { Handler, HandlerCall } from "../../../run/handler.ts";
import { writeOutput } from "../../../run/schemas.ts";

const pauseMilliseconds = 2_000;

type ReadBatch = (accountId: string, id: string) => Promise<Batch>;

/** Shows the state of a batch. Callers who follow it get every change until it is finished. */
export function getBatch(read: ReadBatch): Handler<"getBatch"> {
  const readShared = shareReading(read);
  return async (call) => {
    const { caller, input, patience } = call;
    const { onChange } = patience;
    const first = await read(caller.account.id, input.id);
    if (onChange === undefined || first.finishedAt !== undefined) return first;
    return sendChanges(readShared, call, first, (batch) => onChange(writeOutput(operations.getBatch, batch)));
  };
}

/** Sends every change, and returns the last state. Throws `inProgress` when that takes longer than a stream lasts. */
async function sendChanges(
  read: ReadBatch,
  { caller, input, signal, deadline, whileWaiting }: HandlerCall<"getBatch">,
  first: Batch,
  send: (batch: Batch) => boolean,
): Promise<Batch> {
  let sentText = send(first) ? JSON.stringify(first) : "";
  while (performance.now() < deadline) {
    // oxlint-disable-next-line no-await-in-loop -- each look follows the one before
    const batch = await whileWaiting(async () => {
      await sleep(pauseMilliseconds, undefined, { signal });
      return read(caller.account.id, input.id);
    });
    if (batch.finishedAt !== undefined) return batch;
    const text = JSON.stringify(batch);
    if (text !== sentText && send(batch)) sentText = text;
  }
  throw new ServiceError("inProgress", "This batch is still in progress. Try again.", {
    reason: "transcriptionRunning",
    retryAfter: 1,
  });
}

/** All followers of a batch share a reading in each pause. */
function shareReading(read: ReadBatch): ReadBatch {
  const readings = new Map<string, Promise<Batch>>();
  return (accountId, id) => {
    const name = JSON.stringify([accountId, id]);
    const shared = readings.get(name);
    if (shared !== undefined) return shared;
    const reading = read(accountId, id);
    readings.set(name, reading);
    setTimeout(() => readings.delete(name), pauseMilliseconds / 2).unref();
    return reading;
  };
}
