import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { embeddedHeads, embeddedModelDirectory, unreliableLanguages, voiceDetectorFile } from "./embedded-model.ts";
import { RecognizerSlot, type SlotOptions } from "./recognizer-slot.ts";
import type { Recognizer } from "./transcriber.ts";
import { gaveUp, unavailable } from "./whisper-error.ts";

export interface EmbeddedRecognizerOptions {
  /** A Whisper in the common ONNX layout. */
  readonly modelDirectory: string;
  /** Directories of other models, by the primary language subtag that each reads in place of the first. */
  readonly languageModels?: Readonly<Partial<Record<string, string>>> | undefined;
  /**
   * Directories of heads, by the language that each reads from what the first model hears. By default those that come with the
   * embedded model, and none with another.
   */
  readonly heads?: Readonly<Record<string, string>> | undefined;
  /**
   * Languages that the first model reads so badly that they are only recognized where the caller names them. By default those
   * that were measured for the embedded model, and none with another.
   */
  readonly unreliable?: readonly string[] | undefined;
  /** Languages that it hands over, by primary subtag. */
  readonly elsewhere?: readonly string[] | undefined;
  /** Jobs at once, each in a process of its own with its own copy of the model; more jobs wait. Default 1. */
  readonly slots?: number | undefined;
  /** Processor threads of each slot. By default the slots share all cores. */
  readonly threads?: number | undefined;
  /** Readings of a window that are followed at a time, 1 to 8; 1 takes the likeliest token each time. Default 5. */
  readonly beam?: number | undefined;
  /** Seconds in which nothing of a job is computed before its process is killed. A job may take as long as it likes. Default 300. */
  readonly maxStillSeconds?: number | undefined;
  /** Seconds without a job after which a slot's process ends; the next job starts another. Default 45. */
  readonly idleSeconds?: number | undefined;
  /** Resident memory at which a slot's process is killed, where the system tells it (Linux). By default three times the models and 1.5 GiB. */
  readonly maxMemoryBytes?: number | undefined;
}

export interface EmbeddedRecognizer extends Recognizer {
  /** For the banner: model, slots and threads. */
  readonly description: string;
  /** Process ids of the slots' children that live now. */
  processIds(): readonly number[];
  /** How often children were replaced, of all slots together. */
  restarts(): number;
}

/** One pass of the encoder of a large model, on a machine that does much else, takes a minute or two. */
const defaultStillSeconds = 300;
/** Loading the embedded model again takes half a second, while the reel is fetched. */
const defaultIdleSeconds = 45;
const defaultBeam = 5;
const mostReadings = 8;
const gibibyte = 1024 ** 3;

/** The embedded Whisper in child processes, one per slot, started by `ready()` or the first job and kept warm. */
export function createEmbeddedRecognizer(options: EmbeddedRecognizerOptions): EmbeddedRecognizer {
  const slotCount = Math.max(1, Math.floor(options.slots ?? 1));
  const load = loadOf(options, slotCount);
  const { modelDirectory, languageModels, threads } = load;
  const model = path.basename(modelDirectory);
  const slots = Array.from(
    { length: slotCount },
    () =>
      new RecognizerSlot({
        load,
        maxStillSeconds: options.maxStillSeconds ?? defaultStillSeconds,
        idleSeconds: options.idleSeconds ?? defaultIdleSeconds,
        maxMemoryBytes:
          options.maxMemoryBytes ?? 1.5 * gibibyte + 3 * bytesOf([modelDirectory, ...Object.values(languageModels)]),
      }),
  );
  const free = [...slots];
  const waiting: ((slot: RecognizerSlot) => void)[] = [];
  let isClosed = false;

  async function takeSlot(signal: AbortSignal): Promise<RecognizerSlot> {
    throwIfOver(signal);
    const slot = free.pop();
    if (slot) return slot;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(onFree), 1);
        reject(gaveUp());
      };
      const onFree = (freed: RecognizerSlot) => {
        signal.removeEventListener("abort", onAbort);
        resolve(freed);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.push(onFree);
    });
  }

  function giveBack(slot: RecognizerSlot): void {
    const next = waiting.shift();
    if (next) next(slot);
    else free.push(slot);
  }

  function throwIfOver(signal: AbortSignal): void {
    if (isClosed) throw unavailable("The recognizer is closed.");
    if (signal.aborted) throw gaveUp();
  }

  return {
    model,
    description: `${model}, ${slotCount} ${slotCount === 1 ? "slot" : "slots"} of ${threads} ${threads === 1 ? "thread" : "threads"}`,
    processIds: () => slots.flatMap(({ processId }) => (processId === undefined ? [] : [processId])),
    restarts: () => slots.reduce((sum, slot) => sum + slot.restarts, 0),
    async ready() {
      await Promise.all(slots.map((slot) => slot.ready()));
    },
    async recognize(media, jobOptions) {
      const { signal } = jobOptions;
      const slot = await takeSlot(signal);
      const job = (async () => {
        throwIfOver(signal);
        return slot.recognize(media, jobOptions);
      })();
      void job.catch(() => undefined).finally(() => giveBack(slot));
      // The caller need not wait until the child has noticed; the slot is given back when it has.
      return Promise.race([job, rejectOnAbort(signal, job)]);
    },
    async close() {
      isClosed = true;
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

/** Says what each slot's process loads. */
function loadOf(options: EmbeddedRecognizerOptions, slotCount: number): SlotOptions["load"] {
  const { elsewhere = [] } = options;
  const modelDirectory = path.resolve(options.modelDirectory);
  const languageModels = Object.fromEntries(
    Object.entries(options.languageModels ?? {}).flatMap(([language, directory]) =>
      directory === undefined ? [] : [[language, path.resolve(directory)] as const],
    ),
  );
  const isEmbedded = modelDirectory === embeddedModelDirectory;
  const unreliable = options.unreliable ?? (isEmbedded ? unreliableLanguages : []);
  return {
    type: "load",
    modelDirectory,
    languageModels,
    heads: options.heads ?? (isEmbedded ? embeddedHeads : {}),
    unreliable: unreliable.filter(
      (language) => !elsewhere.includes(language) && languageModels[language] === undefined,
    ),
    elsewhere,
    voiceDetector: voiceDetectorFile,
    beam: Math.min(Math.max(1, Math.floor(options.beam ?? defaultBeam)), mostReadings),
    threads: Math.max(1, Math.floor(options.threads ?? availableParallelism() / slotCount)),
  };
}

/** Rejects when the signal aborts; never settles otherwise, and listens only while the job runs. */
async function rejectOnAbort(signal: AbortSignal, job: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => {
      reject(gaveUp());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    void job.catch(() => undefined).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function bytesOf(directories: readonly string[]): number {
  const onnxFiles = directories.flatMap((directory) => {
    try {
      const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
      return names.filter((name) => name.includes(".onnx")).map((name) => path.join(directory, name));
    } catch {
      // A directory that is not there is reported when it is loaded.
      return [];
    }
  });
  return onnxFiles.reduce((sum, file) => sum + statSync(file).size, 0);
}
