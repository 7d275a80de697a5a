/** Entry of the threads that do long jobs, one at a time. They get what they need in messages. */
import { parentPort } from "node:worker_threads";
import { ServiceError } from "@reelscript/contract";
import type { LongJobs } from "../ports.ts";
import type { JobAnswer, JobOrder } from "./create-long-work.ts";
import { handedOver, jobs } from "./jobs.ts";

parentPort?.on("message", (order: JobOrder) => {
  const answer = answerTo(order);
  parentPort?.postMessage(answer, "result" in answer ? buffersOf(order.name, answer.result) : []);
});

/** Only of bytes that have a buffer of their own. */
function buffersOf(name: keyof LongJobs, result: LongJobs[keyof LongJobs]["result"]): ArrayBuffer[] {
  const longBytes: ((result: never) => readonly unknown[]) | undefined = handedOver[name];
  // safe: a job's result is that of its name
  return (longBytes?.(result as never) ?? []).flatMap((bytes) =>
    bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
      ? [bytes.buffer]
      : [],
  );
}

function answerTo({ name, given }: JobOrder): JobAnswer {
  try {
    const work: (given: never) => LongJobs[keyof LongJobs]["result"] = jobs[name];
    return { result: work(given as never) }; // safe: an order has what the job of its name is given
  } catch (error) {
    if (!(error instanceof ServiceError))
      return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { code, message, reason, status, problems } = error;
    return { refused: { code, message, reason, status, problems } };
  }
}
