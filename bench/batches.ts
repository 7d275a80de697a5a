import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask, askWell } from "./load.ts";
import { type Caller, createCaller, withStore } from "../scripts/processes/start-program.ts";
import { type Needs, formatFigure } from "./report.ts";
import {
  publish,
  type Service,
  type Standin,
  startService,
  startStandin,
  transcribe,
} from "./processes/start-service.ts";
import { startRecognizer } from "./processes/start-recognizer.ts";
import { englishReelOf, type StoredReel } from "./speech.ts";
import { median } from "./statistics.ts";

const sizes = {
  whole: { rounds: 15, links: 100 },
  quick: { rounds: 5, links: 100 },
  smallest: { rounds: 1, links: 4 },
};
/** A recognizer with constant speed, so that only the queue makes a difference. */
const recognizerMilliseconds = 500;
const pauseMilliseconds = 1_000;
/** One running reel and the account's own: a quiet account waits for at most one other. */
const mostRatio = 2.5;

interface Batch {
  readonly status: "open" | "finished";
  readonly counts: { readonly done: number; readonly waiting: number };
}

/** Measures how long an account's single reel takes, alone and during another account's batch. */
export async function benchBatches({ report, folder, extent, started }: Needs): Promise<void> {
  const { rounds, links } = sizes[extent];
  report.section(
    "Batches",
    `POST to transcript of a fresh single reel: ${rounds} in turn alone, beside another account's batch of ${links}, and alone again.`,
    `The recognizer is an endpoint that takes ${recognizerMilliseconds} ms for a reel, so that only the queue differs.`,
  );
  const recognizer = await started(startRecognizer(recognizerMilliseconds));
  const standin = await started(startStandin());
  const dataDirectory = path.join(folder, "batches");
  const [many, single] = await withStore({ dataDirectory }, async (store) => [
    await createCaller(store, { email: "many@example.com" }),
    await createCaller(store, { email: "single@example.com" }),
  ]);
  const environment = { DATA_DIR: dataDirectory, ...recognizer.settings };
  const service = await started(startService({ environment, standin: standin.origins }));
  const reel = await englishReelOf(15);
  const setup = { service, standin, reel };
  await timesOf(setup, single!, 2);
  const before = await timesOf(setup, single!, rounds);
  const urls = Array.from({ length: links }, () => publish(standin, reel));
  const headers = { authorization: `Bearer ${many!.key}` };
  const answer = await askWell(service.url, {
    method: "POST",
    path: "/api/v1/transcriptions",
    headers,
    body: { urls },
  });
  const { id } = JSON.parse(answer.body.toString()) as { id: string };
  const read = async (): Promise<Batch> =>
    JSON.parse((await ask(service.url, { path: `/api/v1/batches/${id}`, headers })).body.toString()) as Batch;
  const beside = await timesOf(setup, single!, rounds);
  const during = await read();
  if (during.status === "finished")
    report.note("the batch ended before the last single reel: its figure says too little");
  while ((await read()).status === "open") await pause(pauseMilliseconds);
  const after = await timesOf(setup, single!, rounds);
  const control = median([...before, ...after]);
  report.table(
    ["single reel", "median", "longest"],
    [
      ["alone, before", formatFigure(median(before), "ms"), formatFigure(Math.max(...before), "ms")],
      ["beside the batch", formatFigure(median(beside), "ms"), formatFigure(Math.max(...beside), "ms")],
      ["alone, after", formatFigure(median(after), "ms"), formatFigure(Math.max(...after), "ms")],
    ],
  );
  report.note(
    `of the batch, ${during.counts.done} were done and ${during.counts.waiting} not begun after the last of them`,
  );
  report.figures([
    {
      what: "single reel beside a batch, to the same alone",
      value: median(beside) / control,
      digits: 2,
      atMost: mostRatio,
    },
  ]);
}

interface Setup {
  readonly service: Service;
  readonly standin: Standin;
  readonly reel: StoredReel;
}

async function timesOf({ service, standin, reel }: Setup, caller: Caller, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const url = publish(standin, reel);
    const from = performance.now();
    await transcribe(service, caller, url);
    times.push(performance.now() - from);
  }
  return times;
}
