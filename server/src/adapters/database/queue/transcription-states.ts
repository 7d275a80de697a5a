import { errors, reasonNames } from "@reelscript/contract/values";
import type { AwaitedDependency, Failure, InterimText, Store, TranscriptionState } from "../../../ports.ts";
import { retranscriptionOutcomes } from "../../../ports/transcriptions.ts";
import { isAnything, isListOf, isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { DatabaseLog, Engine } from "../engine/engine.ts";
import { statement, type Column, type Database, type RowOf } from "../engine/statement.ts";

const isCount: Column<number | undefined> = (value): value is number | undefined =>
  value === undefined || isNumber(value);

export const isRetranscriptionOutcome = isOneOf(...retranscriptionOutcomes);

export const isFailure = isObjectOf<Failure>({ status: isNumber, message: isText, retryAfter: isCount });

/**
 * A newer release may write states and failures that this one doesn't know; one such row must not keep others from being read.
 */
export const stateRow = {
  state: isText,
  progress: isNumber,
  waitingFor: orNull(isText),
  failure: isAnything,
};

/**
 * The previous release writes only `waits`, and only for the platform. A reel in the queue that has no reason of its own waits for
 * what others of its kind wait for.
 */
export const waitingForIn = (table: string): string => `
  case
    when ${table}.waits then 'platform'
    when ${table}.waiting_for is not null or ${table}.state <> 'queued' then ${table}.waiting_for
    else (
      select a.neighbor from neighbor_away as a
      where a.neighbor = 'recognizer' or a.neighbor = 'platform' and a.name = ${table}.platform and ${table}.owner is null
        or a.neighbor = 'storage' and ${table}.owner is not null and is_in_storage(${table}.id)
      order by a.neighbor limit 1
    )
  end as waiting_for`;

export const isAwaitedDependency = isOneOf<AwaitedDependency>("platform", "recognizer", "storage");
const isState = isOneOf("queued", "running", "done", "failed");

/** Treats a state that only a newer release knows as work in progress. */
export const stateIn = ({ state }: Pick<RowOf<typeof stateRow>, "state">): TranscriptionState["state"] =>
  isState(state) ? state : "queued";

const unknownFailure: Failure = {
  code: "internalError",
  status: 500,
  message: "The transcription failed. You weren't charged. Try again.",
};

/** Leaves out values that only a newer release knows. */
export function failureIn({ failure }: Pick<RowOf<typeof stateRow>, "failure">): Failure {
  if (!isFailure(failure) || !(failure.code in errors)) return unknownFailure;
  const { code, status, message, reason, retryAfter } = failure;
  return { code, status, message, reason: reason && reasonNames.includes(reason) ? reason : undefined, retryAfter };
}

const foundRow = {
  id: isText,
  ...stateRow,
  attempt: isNumber,
  languages: orNull(isListOf(isText)),
  texts: orNull(isListOf(isText)),
  draftLanguage: orNull(isText),
  draft: orNull(isText),
};

/** Selects the passages that this process hasn't read yet, and the draft. */
const findTranscriptions = statement(`
  select t.id, t.state, t.progress, ${waitingForIn("t")}, t.failure, t.attempt, passages.languages, passages.texts, passages.draft_language, passages.draft
  from unnest(:ids::text[], :attempts::integer[], :counts::integer[]) as reading (id, attempt, count)
  join transcription as t on t.id = reading.id
  left join lateral (
    select array_agg(language order by number) filter (where number > 0) as languages,
      array_agg(text order by number) filter (where number > 0) as texts,
      max(language) filter (where number = 0 and text <> '') as draft_language,
      max(text) filter (where number = 0 and text <> '') as draft
    from interim_text
    where t.state = 'running' and transcription_id = t.id and attempt = t.attempt
      and (number = 0 or number > case when reading.attempt = t.attempt then reading.count else 0 end)
  ) as passages on true`).reading(foundRow);

/** Reads the states of awaited transcriptions repeatedly, and only the new ones among their passages. */
function createStateReader(database: Database) {
  const interims = new Map<string, InterimText>();
  let reading = new Set<string>();
  return {
    /** One call at a time. */
    async read(ids: readonly string[]): Promise<ReadonlyMap<string, TranscriptionState>> {
      if (ids.length === 0) return new Map();
      const interimById = new Map(ids.map((id) => [id, interims.get(id)]));
      reading = new Set(ids);
      const rows = await findTranscriptions.rows(database, {
        ids,
        attempts: ids.map((id) => interimById.get(id)?.attempt ?? 0),
        counts: ids.map((id) => interimById.get(id)?.passages.length ?? 0),
      });
      return new Map(
        rows.map((row) => {
          const interim = grown(interimById.get(row.id), row);
          // If it was forgotten meanwhile, the next call reads it from the beginning.
          if (interim && reading.has(row.id)) interims.set(row.id, interim);
          else interims.delete(row.id);
          return [row.id, toState(row, interim)];
        }),
      );
    },
    /** Stops reading the transcription. */
    forget(id: string): void {
      interims.delete(id);
      reading.delete(id);
    },
  };
}

function grown(
  before: InterimText | undefined,
  { state, attempt, languages, texts, draft, draftLanguage: language }: RowOf<typeof foundRow>,
): InterimText | undefined {
  // A transcription that went back to the queue still has the number of its last attempt.
  const earlierPassages = state === "running" && before?.attempt === attempt ? before.passages : [];
  const more = (texts ?? []).map((text, index) => ({ language: languages?.[index] ?? "und", text }));
  const passages = more.length === 0 ? earlierPassages : [...earlierPassages, ...more];
  if (passages.length === 0 && draft === null) return undefined;
  return { attempt, passages, ...(draft !== null && language !== null && { draft: { language, text: draft } }) };
}

/** Only for unfinished transcriptions. A value that only a newer release knows is left out. */
export const waiting = ({
  state,
  waitingFor,
}: Pick<RowOf<typeof stateRow>, "state" | "waitingFor">): { readonly waitingFor?: AwaitedDependency } =>
  (state === "queued" || state === "running") && isAwaitedDependency(waitingFor) ? { waitingFor } : {};

export function toState(row: RowOf<typeof stateRow>, interim?: InterimText): TranscriptionState {
  const state = stateIn(row);
  if (state === "queued" || state === "running")
    return { state, progress: row.progress, ...waiting(row), ...(interim && { interim }) };
  return state === "done" ? { state } : { state, failure: failureIn(row) };
}

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
