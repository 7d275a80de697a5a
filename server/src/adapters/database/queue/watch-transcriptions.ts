import type { Store, TranscriptionState } from "../../../ports.ts";
import type { DatabaseLog, Engine } from "../engine/engine.ts";
import { createStateReader } from "./read-states.ts";

type Watch = Store["watchTranscription"];
type Listener = Parameters<Watch>[1];

type WatchedEngine = Pick<Engine, "urgentPool" | "signals">;

const pollMilliseconds = 1_000;
/** The pause between polls while new words arrive. */
const draftMilliseconds = 250;
/** Reads requested within this time share a statement. */
const gatherMilliseconds = 10;

/**
 * One poll for all waiters of this process: each second a statement reads every awaited transcription, and others read those
 * that a signal reports as finished or that are newly awaited. The next poll makes up for one that fails.
 */
export function createTranscriptionWatch({ urgentPool, signals }: WatchedEngine, log: DatabaseLog) {
  const listeners = new Map<string, Set<Listener>>();
  const states = createStateReader(urgentPool);
  const outage = oneLine(log);
  const due = new Set<string>();
  let asking = false;
  let soon: NodeJS.Timeout | undefined;
  let nextDraft: NodeJS.Timeout | undefined;
  let everySecond: NodeJS.Timeout | undefined;

  async function ask(): Promise<void> {
    if (asking || due.size === 0) return;
    asking = true;
    const ids = [...due].filter((id) => listeners.has(id));
    due.clear();
    try {
      const statesById = await states.read(ids);
      for (const id of ids) for (const listener of listeners.get(id) ?? []) listener(statesById.get(id));
      askForDrafts(statesById);
      outage.succeeded();
    } catch (error) {
      // The waiters keep waiting.
      outage.failed(error);
    } finally {
      asking = false;
      if (due.size > 0) askSoon();
    }
  }

  function askSoon(): void {
    soon ??= setTimeout(() => {
      soon = undefined;
      void ask();
    }, gatherMilliseconds);
  }

  function askForDrafts(statesById: ReadonlyMap<string, TranscriptionState>): void {
    const drafting = [...statesById].flatMap(([id, state]) => ("interim" in state && state.interim?.draft ? [id] : []));
    if (drafting.length === 0 || nextDraft !== undefined) return;
    nextDraft = setTimeout(() => {
      nextDraft = undefined;
      for (const id of drafting) due.add(id);
      void ask();
    }, draftMilliseconds);
  }

  function askAll(): void {
    for (const id of listeners.keys()) due.add(id);
    void ask();
  }

  const unsubscribe = signals.subscribe("finished", (id) => {
    // Signals of an earlier release don't name the transcription.
    const finished = id === undefined ? [...listeners.keys()] : listeners.has(id) ? [id] : [];
    for (const one of finished) due.add(one);
    if (finished.length > 0) askSoon();
  });

  return {
    watch: (transcriptionId: string, listener: Listener): (() => void) => {
      const call: Listener = (state) => listener(state);
      const others = listeners.get(transcriptionId);
      if (others) others.add(call);
      else listeners.set(transcriptionId, new Set([call]));
      due.add(transcriptionId);
      askSoon();
      everySecond ??= setInterval(askAll, pollMilliseconds);
      return () => {
        const left = listeners.get(transcriptionId);
        if (!left?.delete(call) || left.size > 0) return;
        listeners.delete(transcriptionId);
        states.forget(transcriptionId);
        if (listeners.size > 0) return;
        clearInterval(everySecond);
        everySecond = undefined;
      };
    },
    stop(): void {
      unsubscribe();
      clearTimeout(soon);
      clearTimeout(nextDraft);
      clearInterval(everySecond);
      listeners.clear();
    },
  };
}

/** Logs one line per outage, however long it lasts. */
function oneLine(log: DatabaseLog): { failed(error: unknown): void; succeeded(): void } {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log.warn({ error: String(error) }, "The states of transcriptions can't be read");
      isFailing = true;
    },
    succeeded() {
      isFailing = false;
    },
  };
}
