import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export type Stage = "fetch" | "wait" | "decode" | "recognize" | "store";

/** Values that are read at each scrape, because nothing reports their changes. `undefined` when a value isn't available. */
export interface MetricSources {
  /** The queue and the holds, as of now. */
  readonly work?: (() => Promise<WorkFigures | undefined>) | undefined;
  readonly connections?:
    | (() => Readonly<Record<string, Readonly<Record<"inUse" | "idle" | "waiting", number>>>>)
    | undefined;
  readonly recognizer?: (() => Promise<Readonly<Record<"processes" | "memoryBytes" | "restarts", number>>>) | undefined;
}

export interface WorkFigures {
  readonly queued: number;
  readonly running: number;
  readonly oldestQueuedSeconds: number;
  readonly held: number;
  readonly oldestHeldSeconds: number;
}

interface EndedRequest {
  readonly method: string;
  /** The route's template. */
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
}

interface EndedOperation {
  readonly operation: string;
  readonly door: string;
  readonly status: number;
}

/** The counters of this process. Labels take only values from fixed lists: names of operations, templates of routes, codes. */
export interface Metrics {
  requestEnded(request: EndedRequest): void;
  operationEnded(operation: EndedOperation): void;
  /** Counts a call to transcribe; `isHit` if the cache answered it. */
  cacheAsked(isHit: boolean): void;
  /** Counts a call that waited for a place. */
  placeAwaited(door: string, seconds: number): void;
  transcriptionEnded(outcome: string): void;
  /** Counts the outcome of one way to the platform. */
  canaryAsked(way: string, outcome: string): void;
  stageEnded(stage: Stage, seconds: number): void;
  /** A platform or a recognizer is away, or back. */
  outageChanged(needed: string, isAway: boolean): void;
  readonly contentType: string;
  /** Everything in Prometheus' text format. */
  text(): Promise<string>;
}

const quick = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150];
const slow = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 600];

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, labelNames: Label[], buckets: number[], help: string) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = histogram(
    "reelscript_request_duration_seconds",
    ["method", "route", "status"],
    quick,
    "Requests, by route template and status; aborted when the client went away.",
  );
  const operations = counter(
    "reelscript_operations_total",
    ["operation", "door", "status"],
    "Calls of operations through all doors: rest, mcp, people.",
  );
  const cache = counter(
    "reelscript_transcribe_answers_total",
    ["cached"],
    "Answered calls to transcribe, by whether the transcript came from the cache.",
  );
  const places = histogram(
    "reelscript_call_wait_seconds",
    ["door"],
    quick,
    "Calls that waited until fewer calls of the same key, person or network were answered; others aren't in it.",
  );
  const transcriptions = counter(
    "reelscript_transcriptions_total",
    ["outcome"],
    "Transcriptions that ended in this process: done, released to another worker, postponed during an outage, lost to another worker, or the code of the failure.",
  );
  const stages = histogram(
    "reelscript_transcription_stage_duration_seconds",
    ["stage"],
    slow,
    "Stages of a transcription, one after another: fetch, wait (for a recognizer), decode, recognize (what is left when all is decoded), store.",
  );
  const canary = counter(
    "reelscript_canary_answers_total",
    ["way", "outcome"],
    "What each way to the platform gave for the reel in PLATFORM_CANARY_URL, which one process asks for once an hour.",
  );
  const away = new Gauge({
    name: "reelscript_away",
    help: "1 while reels wait here for a platform or a recognizer that is away, 0 when it is back.",
    labelNames: ["needed"],
    registers,
  });
  const read = readers(registry, sources);
  return {
    requestEnded: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    operationEnded: ({ operation, door, status }) => operations.inc({ operation, door, status: String(status) }),
    cacheAsked: (isHit) => cache.inc({ cached: String(isHit) }),
    placeAwaited: (door, seconds) => places.observe({ door }, seconds),
    transcriptionEnded: (outcome) => transcriptions.inc({ outcome }),
    canaryAsked: (way, outcome) => canary.inc({ way, outcome }),
    stageEnded: (stage, seconds) => stages.observe({ stage }, seconds),
    outageChanged: (needed, isAway) => away.set({ needed }, isAway ? 1 : 0),
    contentType: registry.contentType,
    async text() {
      await Promise.all(read.map((one) => one()));
      return registry.metrics();
    },
  };
}

/** Readers that run before every scrape. An unknown value is left out, because an old one would look current. */
function readers(registry: Registry, { work, connections, recognizer }: MetricSources): (() => Promise<void>)[] {
  const read: (() => Promise<void>)[] = [];
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  if (work) {
    const reachable = gauge("reelscript_database_reachable", "1 when the database answered this scrape, 0 when not.");
    const queue = gauge("reelscript_queue_length", "Transcriptions in the queue of all processes.", ["state"]);
    const oldest = gauge("reelscript_queue_oldest_seconds", "Age of the oldest transcription that waits.");
    const holds = gauge("reelscript_holds", "Units held for transcriptions that have not ended.");
    const oldestHold = gauge("reelscript_hold_oldest_seconds", "Age of the oldest hold.");
    read.push(async () => {
      const figures = await work();
      reachable.set(figures === undefined ? 0 : 1);
      if (figures === undefined) {
        queue.reset();
        for (const one of [oldest, holds, oldestHold]) one.remove();
        return;
      }
      queue.set({ state: "queued" }, figures.queued);
      queue.set({ state: "running" }, figures.running);
      oldest.set(figures.oldestQueuedSeconds);
      holds.set(figures.held);
      oldestHold.set(figures.oldestHeldSeconds);
    });
  }
  if (connections) {
    const help = "Database connections of this process, and callers that wait for one.";
    const pool = gauge("reelscript_database_connections", help, ["pool", "state"]);
    read.push(async () => {
      for (const [name, { inUse, idle, waiting }] of Object.entries(connections())) {
        pool.set({ pool: name, state: "in_use" }, inUse);
        pool.set({ pool: name, state: "idle" }, idle);
        pool.set({ pool: name, state: "waiting" }, waiting);
      }
    });
  }
  if (recognizer) {
    const processes = gauge("reelscript_recognizer_processes", "Processes that recognize speech.");
    const memory = gauge("reelscript_recognizer_memory_bytes", "Resident memory of these processes together.");
    const restarts = gauge("reelscript_recognizer_restarts", "How often such a process was replaced since the start.");
    read.push(async () => {
      const figures = await recognizer();
      processes.set(figures.processes);
      memory.set(figures.memoryBytes);
      restarts.set(figures.restarts);
    });
  }
  return read;
}
