import { readdirSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { RecogniserSlot } from "./recogniser-slot.ts";
import type { Recogniser } from "./transcriber.ts";
import { WhisperError } from "./whisper-error.ts";

export interface EmbeddedRecogniserOptions {
  /** A Whisper in the common ONNX layout. */
  readonly modelDirectory: string;
  /** Directories of other models, by the primary language subtag that each reads in place of the first. */
  readonly languageModels?: Readonly<Partial<Record<string, string>>> | undefined;
  /** Jobs at once, each in a process of its own with its own copy of the model; more jobs wait. Default 1. */
  readonly slots?: number | undefined;
  /** Processor threads of each slot. By default the slots share all cores but one. */
  readonly threads?: number | undefined;
  /** Wall-clock seconds after which a job is killed, without the time it waited for a slot. Default 600. */
  readonly maxJobSeconds?: number | undefined;
  /** Resident memory at which a slot's process is killed, where the system tells it (Linux). By default three times the models and 1.5 GiB. */
  readonly maxMemoryBytes?: number | undefined;
}

export interface EmbeddedRecogniser extends Recogniser {
  /** For the banner: model, slots and threads. */
  readonly description: string;
  /** Process ids of the slots' children that live now. */
  processIds(): readonly number[];
}

const VOICE_DETECTOR = fileURLToPath(new URL("../models/silero-vad/silero_vad_v6.onnx", import.meta.url));
const DEFAULT_JOB_SECONDS = 600;
const GIBIBYTE = 1024 ** 3;

/** The embedded Whisper in child processes, one per slot, started by `ready()` or the first job and kept warm. */
export function createEmbeddedRecogniser(options: EmbeddedRecogniserOptions): EmbeddedRecogniser {
  const slotCount = Math.max(1, Math.floor(options.slots ?? 1));
  const threads = Math.max(1, Math.floor(options.threads ?? (availableParallelism() - 1) / slotCount));
  const modelDirectory = resolve(options.modelDirectory);
  const languageModels = Object.fromEntries(
    Object.entries(options.languageModels ?? {}).flatMap(([language, directory]) =>
      directory === undefined ? [] : [[language, resolve(directory)] as const],
    ),
  );
  const model = basename(modelDirectory);
  const slots = Array.from(
    { length: slotCount },
    () =>
      new RecogniserSlot({
        load: { type: "load", modelDirectory, languageModels, voiceDetector: VOICE_DETECTOR, threads },
        maxJobSeconds: options.maxJobSeconds ?? DEFAULT_JOB_SECONDS,
        maxMemoryBytes:
          options.maxMemoryBytes ?? 1.5 * GIBIBYTE + 3 * bytesOf([modelDirectory, ...Object.values(languageModels)]),
      }),
  );
  const free = [...slots];
  const waiting: ((slot: RecogniserSlot) => void)[] = [];
  let isClosed = false;

  async function takeSlot(signal: AbortSignal): Promise<RecogniserSlot> {
    throwIfOver(signal);
    const slot = free.pop();
    if (slot) return slot;
    return await new Promise((take, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(onFree), 1);
        reject(gaveUp());
      };
      const onFree = (freed: RecogniserSlot) => {
        signal.removeEventListener("abort", onAbort);
        take(freed);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.push(onFree);
    });
  }

  function giveBack(slot: RecogniserSlot): void {
    const next = waiting.shift();
    if (next) next(slot);
    else free.push(slot);
  }

  function throwIfOver(signal: AbortSignal): void {
    if (isClosed) throw new WhisperError("unavailable", "The recogniser is closed.");
    if (signal.aborted) throw gaveUp();
  }

  return {
    model,
    description: `${model}, ${slotCount} ${slotCount === 1 ? "slot" : "slots"} of ${threads} ${threads === 1 ? "thread" : "threads"}`,
    processIds: () => slots.flatMap(({ processId }) => (processId === undefined ? [] : [processId])),
    async ready() {
      await Promise.all(slots.map((slot) => slot.ready()));
    },
    async recognise(media, jobOptions) {
      const { signal } = jobOptions;
      const slot = await takeSlot(signal);
      const job = (async () => {
        throwIfOver(signal);
        return await slot.recognise(media, jobOptions);
      })();
      void job.catch(() => {}).finally(() => giveBack(slot));
      // The caller need not wait until the child has noticed; the slot is given back when it has.
      return await Promise.race([job, rejectOnAbort(signal, job)]);
    },
    async close() {
      isClosed = true;
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

function gaveUp(): WhisperError {
  return new WhisperError("aborted", "The caller gave up.");
}

/** Rejects when the signal aborts; never settles otherwise, and listens only while the job runs. */
async function rejectOnAbort(signal: AbortSignal, job: Promise<unknown>): Promise<never> {
  return await new Promise((_, reject) => {
    const onAbort = () => {
      reject(gaveUp());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    void job.catch(() => {}).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function bytesOf(directories: readonly string[]): number {
  const onnxFiles = directories.flatMap((directory) => {
    try {
      const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
      return names.filter((name) => name.includes(".onnx")).map((name) => join(directory, name));
    } catch {
      // A directory that is not there is reported when it is loaded.
      return [];
    }
  });
  return onnxFiles.reduce((sum, path) => sum + statSync(path).size, 0);
}
