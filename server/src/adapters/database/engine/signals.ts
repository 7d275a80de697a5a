import { EventEmitter } from "node:events";

export const topics = ["queued", "finished", "bioPages"] as const;
export type Topic = (typeof topics)[number];

/** Notifies subscribers in this process and, if the engine can, in others. */
export interface Signals {
  /** `subject` is the id of the changed object, if there is one. */
  readonly announce: (topic: Topic, subject?: string) => void;
  readonly subscribe: (topic: Topic, listener: (subject?: string) => void) => () => void;
}

/** Signals within the process. A listener is called once per announcement, after the announcer has continued. */
export function createSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    announce(topic, subject) {
      setImmediate(() => emitter.emit(topic, subject));
    },
    subscribe(topic, listener) {
      const call = (subject?: string) => listener(subject);
      emitter.on(topic, call);
      return () => void emitter.off(topic, call);
    },
  };
}
