import { useSyncExternalStore } from "react";

export function createStore<Value>(first: Value) {
  const listeners = new Set<() => void>();
  let value = first;
  const current = (): Value => value;
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const set = (next: Value): void => {
    value = next;
    for (const listener of listeners) listener();
  };
  const useValue = (): Value => useSyncExternalStore(subscribe, current);
  return { current, subscribe, set, useValue };
}
