import { setTimeout as pause } from "node:timers/promises";
import path from "node:path";
import type { Figure, Needs } from "./report.ts";
import {
  decodersHere,
  publish,
  type Service,
  type Standin,
  startService,
  startStandin,
  transcribe,
} from "./processes/services.ts";
import { englishReelOf, type StoredReel } from "./speech-clips.ts";
import { p99 } from "./statistics.ts";

const fresh = 100;
const betweenRequests = 20;

/** How long cached requests take while many callers wait for fresh reels, beside the same requests while nobody does. */
export async function benchWaiting({ report, folder, quick, threads, started }: Needs): Promise<void> {
  const requests = quick ? 300 : 1_000;
  report.section(
    "Waiting callers",
    `A cached request every ${betweenRequests} ms, ${requests} of them, idle and while ${fresh} callers wait for fresh reels of 30 s.`,
    `Once in a process that only answers, and once in one that transcribes as well, with ${threads} threads on the same cores.`,
  );
  const reel = await englishReelOf(30);
  const { ffmpegPath } = (await decodersHere())[0]!;
  const recognition = { ffmpegPath, threads };
  const standin = await started(startStandin());
  for (const [name, isWorker] of [
    ["beside a worker", true],
    ["without a worker", false],
  ] as const) {
    const settings = { folder: path.join(folder, name), standin, queueLimit: 1_000, queueLimitPerAccount: 1_000 };
    // What is cached is transcribed by a process that works.
    let service = await started(startService({ ...settings, recognition }));
    const cached = await publish(standin, reel);
    await transcribe(service, cached);
    if (!isWorker) {
      await service.stop();
      service = await started(startService(settings));
      await transcribe(service, cached);
    }
    report.figures(await measured(name, { service, standin, reel, cached, requests }));
    await service.stop();
  }
}

interface Asked {
  readonly service: Service;
  readonly standin: Standin;
  readonly reel: StoredReel;
  /** The address of one that was transcribed. */
  readonly cached: string;
  readonly requests: number;
}

async function measured(name: string, { service, standin, reel, cached, requests }: Asked): Promise<Figure[]> {
  await timesOf(service, cached, 100);
  const idle = p99(await timesOf(service, cached, requests));
  const urls: string[] = [];
  for (let index = 0; index < fresh; index += 1) urls.push(await publish(standin, reel));
  const leaving = new AbortController();
  const waiting = urls.map((url) => wait(service, url, leaving.signal));
  await pause(1_000);
  const busy = p99(await timesOf(service, cached, requests));
  leaving.abort();
  const answered = (await Promise.all(waiting)).filter(Boolean).length;
  return [
    { what: `${name}: p99 idle`, value: idle, unit: "ms" },
    { what: `${name}: p99 while they wait (${answered} were answered meanwhile)`, value: busy, unit: "ms" },
    { what: `${name}: busy to idle`, value: busy / idle, unit: "x", atMost: 5 },
  ];
}

const wait = ({ url, key }: Service, reel: string, signal: AbortSignal): Promise<boolean> =>
  fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: reel }),
    signal,
  }).then(
    (response) => response.text().then(() => response.status === 200),
    () => false,
  );

async function timesOf(service: Service, url: string, requests: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < requests; index += 1) {
    const from = performance.now();
    await transcribe(service, url);
    times.push(performance.now() - from);
    await pause(betweenRequests);
  }
  return times;
}
