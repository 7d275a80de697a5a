import path from "node:path";
import { atMost, milliseconds, ratio } from "./report.mjs";
import { decodersHere, startService, startStandin, transcribe } from "./processes/services.mjs";
import { englishReelOf } from "./speech-clips.mjs";
import { pause } from "./statistics.mjs";

const fresh = 100;
const betweenRequests = 20;
const mostTimesIdle = 5;

/** How long cached requests take while many callers wait for fresh reels, beside the same requests while nobody does. */
export async function benchWaiting({ report, folder, quick, threads }) {
  const requests = quick ? 300 : 1_000;
  report.section(
    "Waiting callers",
    `A cached request every ${betweenRequests} ms, ${requests} of them, idle and while ${fresh} callers wait for fresh reels of 30 s.`,
    `Once in a process that only answers, and once in one that transcribes as well, with ${threads} threads on the same cores.`,
  );
  const [reel, [{ ffmpegPath }]] = await Promise.all([englishReelOf(30), decodersHere()]);
  const standin = await startStandin();
  try {
    const limits = { queueLimit: 1_000, queueLimitPerAccount: 1_000 };
    for (const [name, recognition] of [
      ["beside a worker", { ffmpegPath, threads }],
      ["without a worker", undefined],
    ]) {
      const data = path.join(folder, recognition === undefined ? "answers" : "works");
      // What is cached is transcribed by a process that works.
      const first = await startService({ folder: data, standin, recognition: { ffmpegPath, threads }, ...limits });
      const cached = await publish(standin, reel);
      await transcribe(first, cached).catch(async (error) => {
        await first.stop();
        throw error;
      });
      let service = first;
      if (recognition === undefined) {
        await first.stop();
        service = await startService({ folder: data, standin, ...limits });
        await transcribe(service, cached);
      }
      try {
        report.figures(await measured(name, { service, standin, reel, cached, requests }));
      } finally {
        await service.stop();
      }
    }
  } finally {
    await standin.stop();
  }
}

async function measured(name, { service, standin, reel, cached, requests }) {
  await timesOf(service, cached, 100);
  const idle = p99(await timesOf(service, cached, requests));
  const urls = [];
  for (let index = 0; index < fresh; index += 1) urls.push(await publish(standin, reel));
  const leaving = new AbortController();
  const waiting = urls.map((url) => wait(service, url, leaving.signal));
  await pause(1_000);
  const busy = p99(await timesOf(service, cached, requests));
  leaving.abort();
  const answered = (await Promise.all(waiting)).filter(Boolean).length;
  return [
    { what: `${name}: p99 idle`, figure: milliseconds(idle) },
    { what: `${name}: p99 while they wait (${answered} were answered meanwhile)`, figure: milliseconds(busy) },
    { what: `${name}: busy to idle`, figure: ratio(busy / idle), aim: atMost(busy / idle, mostTimesIdle, " x") },
  ];
}

const wait = ({ url, key }, reel, signal) =>
  fetch(`${url}/api/v1/transcribe`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url: reel }),
    signal,
  }).then(
    (response) => response.text().then(() => response.status === 200),
    () => false,
  );

async function timesOf(service, url, requests) {
  const times = [];
  for (let index = 0; index < requests; index += 1) {
    const from = performance.now();
    await transcribe(service, url);
    times.push(performance.now() - from);
    await pause(betweenRequests);
  }
  return times;
}

const publish = (standin, { path: file, seconds, language, text }) =>
  standin.call("publish", { path: file, seconds, language, text });

const p99 = (times) => times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1];
