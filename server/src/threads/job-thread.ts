/** Entry of the threads that do long jobs, one at a time. They get what they need in messages. */
import { parentPort } from "node:worker_threads";
import { ServiceError } from "@reelscript/contract";
import type { LongJobs } from "../ports.ts";
import type { JobAnswer, JobOrder } from "./job-threads.ts";
import { jobs } from "./jobs.ts";

parentPort?.on("message", (order: JobOrder) => parentPort?.postMessage(answerTo(order)));

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
