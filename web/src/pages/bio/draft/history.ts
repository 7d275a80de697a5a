import { isSame } from "./is-same.ts";

const kept = 100;

/** What was, what is, and what was taken back. */
export interface History<Value> {
  readonly past: readonly Value[];
  readonly present: Value;
  readonly future: readonly Value[];
  /** What the last step was about; a next step about the same is one with it. */
  readonly topic: string | undefined;
}

export const begin = <Value>(present: Value): History<Value> => ({ past: [], present, future: [], topic: undefined });

/** A step; letters that are typed one after another into the same field (`topic`) make one. */
export function record<Value>(history: History<Value>, next: Value, topic?: string): History<Value> {
  if (isSame(history.present, next)) return history;
  const goesOn = topic !== undefined && topic === history.topic;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-kept);
  return { past, present: next, future: [], topic };
}

export function undo<Value>({ past, present, future }: History<Value>): History<Value> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, topic: undefined };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], topic: undefined };
}

export function redo<Value>({ past, present, future }: History<Value>): History<Value> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future, topic: undefined };
  return { past: [...past, present], present: after, future: rest, topic: undefined };
}

/** The same steps with each value changed alike. */
export const mapHistory = <Value>(history: History<Value>, change: (value: Value) => Value): History<Value> => ({
  past: history.past.map(change),
  present: change(history.present),
  future: history.future.map(change),
  topic: history.topic,
});
