import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export type Stage = "fetch" | "wait" | "decode" | "recognize" | "store";

/** Values that are read at each scrape, because nothing reports their changes. `undefined` when a value isn't available. */
export interface MetricSources {
  /** The current queue and holds. */
  readonly work?: (() => Promise<WorkFigures | undefined>) | undefined;
  readonly connections?:
    | (() => Readonly<Record<string, Readonly<Record<"inUse" | "idle" | "waiting", number>>>>)
    | undefined;
  readonly recognizer?: (() => Promise<Readonly<Record<"processes" | "memoryBytes" | "restarts", number>>>) | undefined;
  /** Seconds. */
  readonly clockDifference?: (() => number) | undefined;
}

/** The program that runs. */
export interface Build {
  readonly version: string;
  readonly role: string;
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

/** The counters of this process. Labels take values only from fixed lists: names of operations, templates of routes, codes. */
export interface Metrics {
  requestEnded(request: EndedRequest): void;
  operationEnded(operation: EndedOperation): void;
  /** Counts a call to transcribe; `isHit` if the cache answered it. */
  cacheAsked(isHit: boolean): void;
  /** Counts a call that waited for a place. */
  placeAwaited(door: string, seconds: number): void;
  transcriptionEnded(outcome: string): void;
  /** Counts the outcome of one route to the platform. */
  canaryAsked(way: string, outcome: string): void;
  stageEnded(stage: Stage, seconds: number): void;
  /** Records that a platform or a recognizer is unavailable, or back. */
  outageChanged(needed: string, isAway: boolean): void;
  /** Records why this worker claims nothing now; `undefined` if it may claim. */
  obstacleChanged(obstacle: string | undefined): void;
  leasesExpired(count: number): void;
  signInEnded(outcome: string): void;
  /** The object storage failed to put, get or remove something. */
  storageFailed(action: string): void;
  readonly contentType: string;
  /** Everything in Prometheus' text format. */
  text(): Promise<string>;
}

export function createMetrics(sources: MetricSources, { version, role }: Build): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "reelscript_build_info",
    help: "1, with the version of the program, that of Node.js and the role of the process.",
    labelNames: ["version", "node", "role"],
    registers,
  }).set({ version, node: process.versions.node, role }, 1);
  const read = readers(registry, sources);
  return {
    ...callCounters(registers),
    ...workCounters(registers),
    contentType: registry.contentType,
    async text() {
      for (const one of read) await one();
      return registry.metrics();
    },
  };
}

const counter = <Label extends string>(registers: Registry[], name: string, labelNames: Label[], help: string) =>
  new Counter({ name, help, labelNames, registers });

type CallCounters = Pick<
  Metrics,
  "requestEnded" | "operationEnded" | "cacheAsked" | "placeAwaited" | "signInEnded" | "storageFailed"
>;

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 150];

function callCounters(registers: Registry[]): CallCounters {
  const requests = new Histogram({
    name: "reelscript_request_duration_seconds",
    help: "Requests, by route template and status; aborted when the client went away.",
    labelNames: ["method", "route", "status"],
    buckets: requestSeconds,
    registers,
  });
  const places = new Histogram({
    name: "reelscript_call_wait_seconds",
    help: "Calls that waited until fewer calls of the same key, person or network were answered; others aren't in it.",
    labelNames: ["door"],
    buckets: requestSeconds,
    registers,
  });
  const operations = counter(
    registers,
    "reelscript_operations_total",
    ["operation", "door", "status"],
    "Calls of operations through all doors: rest, mcp, people.",
  );
  const cache = counter(
    registers,
    "reelscript_transcribe_answers_total",
    ["cached"],
    "Answered calls to transcribe, by whether the transcript came from the cache.",
  );
  const signIns = counter(
    registers,
    "reelscript_sign_ins_total",
    ["outcome"],
    "Sign-ins of people: begun; then signedIn, expired, refused, suspended, or providerAway when the identity provider failed.",
  );
  const storageFailures = counter(
    registers,
    "reelscript_storage_failures_total",
    ["action"],
    "Requests to the object storage that failed, by action: put, get, remove for pictures; putMedia, getMedia, removeMedia for media that browsers sent.",
  );
  return {
    requestEnded: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    operationEnded: ({ operation, door, status }) => operations.inc({ operation, door, status: String(status) }),
    cacheAsked: (isHit) => cache.inc({ cached: String(isHit) }),
    placeAwaited: (door, seconds) => places.observe({ door }, seconds),
    signInEnded: (outcome) => signIns.inc({ outcome }),
    storageFailed: (action) => storageFailures.inc({ action }),
  };
}

type WorkCounters = Pick<
  Metrics,
  "transcriptionEnded" | "stageEnded" | "canaryAsked" | "outageChanged" | "obstacleChanged" | "leasesExpired"
>;

const stageSeconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320, 600];

function workCounters(registers: Registry[]): WorkCounters {
  const transcriptions = counter(
    registers,
    "reelscript_transcriptions_total",
    ["outcome"],
    "Transcriptions that ended in this process: done, released to another worker, postponed during an outage, lost to another worker, or the code of the failure.",
  );
  const stages = new Histogram({
    name: "reelscript_transcription_stage_duration_seconds",
    help: "Stages of a transcription, one after another: fetch, wait (for a recognizer), decode, recognize (what is left when all is decoded), store.",
    labelNames: ["stage"],
    buckets: stageSeconds,
    registers,
  });
  const canary = counter(
    registers,
    "reelscript_canary_answers_total",
    ["way", "outcome"],
    "What each way to the platform gave for the reel in PLATFORM_CANARY_URL, which one process asks for once an hour.",
  );
  const leases = counter(
    registers,
    "reelscript_leases_expired_total",
    [],
    "Leases of workers that ran out, as found by this process: their workers died or were cut off.",
  );
  const away = new Gauge({
    name: "reelscript_away",
    help: "1 while reels wait here for a platform or a recognizer that is away, 0 when it is back.",
    labelNames: ["needed"],
    registers,
  });
  const obstacles = new Gauge({
    name: "reelscript_worker_held_up",
    help: "1 for the reason why this worker claims nothing although it has room, 0 for reasons that are over.",
    labelNames: ["reason"],
    registers,
  });
  let last: string | undefined;
  return {
    transcriptionEnded: (outcome) => transcriptions.inc({ outcome }),
    canaryAsked: (way, outcome) => canary.inc({ way, outcome }),
    stageEnded: (stage, seconds) => stages.observe({ stage }, seconds),
    leasesExpired: (count) => leases.inc(count),
    outageChanged: (needed, isAway) => away.set({ needed }, isAway ? 1 : 0),
    obstacleChanged(obstacle) {
      if (last !== undefined) obstacles.set({ reason: last }, 0);
      if (obstacle !== undefined) obstacles.set({ reason: obstacle }, 1);
      last = obstacle;
    },
  };
}

/**
 * Readers that run before every scrape, one after another: the first looks at the connections before the others use one. An
 * unknown value is left out, because an old one would look current.
 */
function readers(
  registry: Registry,
  { work, connections, recognizer, clockDifference }: MetricSources,
): (() => Promise<void>)[] {
  const read: (() => Promise<void>)[] = [];
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []): Gauge<Label> =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
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
  if (clockDifference) {
    const help = "By how many seconds the clock of the database's server is ahead of this machine's.";
    const difference = gauge("reelscript_clock_difference_seconds", help);
    read.push(async () => difference.set(clockDifference()));
  }
  if (work) {
    const reachable = gauge("reelscript_database_reachable", "1 when the database answered this scrape, 0 when not.");
    const queue = gauge("reelscript_queue_length", "Transcriptions in the queue of all processes.", ["state"]);
    const oldest = gauge("reelscript_queue_oldest_seconds", "Age of the oldest transcription that waits.");
    const holds = gauge(
      "reelscript_holds",
      "Units held for transcriptions that have not ended; at most 1,000 are counted.",
    );
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
