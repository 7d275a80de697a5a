import os from "node:os";
import path from "node:path";
import { milliseconds, ratio } from "./report.mjs";
import { decodersHere, startService, startStandin, transcribe } from "./processes/services.mjs";
import { englishReelOf } from "./speech-clips.mjs";
import { median, pause } from "./statistics.mjs";

const betweenRequests = 20;
const idleRequests = 250;

/** What each number of threads costs those who wait for a transcript, and those who ask for a cached one meanwhile. */
export async function benchThreads({ report, folder, quick }) {
  const rounds = quick ? 3 : 7;
  const cores = os.availableParallelism();
  report.section(
    "Threads",
    `One slot on ${cores} cores; ${rounds} fresh reels of 60 s one after the other, and a cached request every ${betweenRequests} ms.`,
  );
  const reel = await englishReelOf(60);
  const [{ ffmpegPath }] = await decodersHere();
  const standin = await startStandin();
  const rows = [];
  try {
    for (const threads of [...new Set([1, 2, 4, cores])].filter((count) => count <= cores)) {
      const recognition = { ffmpegPath, threads };
      const service = await startService({ folder: path.join(folder, `threads-${threads}`), standin, recognition });
      try {
        rows.push([threads, ...(await measured(service, standin, reel, rounds))]);
      } finally {
        await service.stop();
      }
    }
  } finally {
    await standin.stop();
  }
  report.table(["threads", "transcript, median", "cached p99, idle", "cached p99, busy", "busy to idle"], rows);
}

async function measured(service, standin, reel, rounds) {
  const cached = await publish(standin, reel);
  await transcribe(service, cached);
  const idle = [];
  for (let index = 0; index < idleRequests; index += 1) {
    idle.push(await timeOf(service, cached));
    await pause(betweenRequests);
  }
  const times = [];
  const busy = [];
  for (let round = 0; round < rounds; round += 1) {
    const url = await publish(standin, reel);
    let isDone = false;
    const asking = (async () => {
      while (!isDone) {
        busy.push(await timeOf(service, cached));
        await pause(betweenRequests);
      }
    })();
    times.push(await timeOf(service, url));
    isDone = true;
    await asking;
  }
  const [quiet, loud] = [p99(idle), p99(busy)];
  return [milliseconds(median(times)), milliseconds(quiet), milliseconds(loud), ratio(loud / quiet)];
}

const publish = (standin, { path: file, seconds, language, text }) =>
  standin.call("publish", { path: file, seconds, language, text });

async function timeOf(service, url) {
  const from = performance.now();
  await transcribe(service, url);
  return performance.now() - from;
}

const p99 = (times) => times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1];
