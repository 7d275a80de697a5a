import { EventEmitter } from "node:events";

export type Topic = "queued" | "finished";

/** Tells subscribers, in this process and where the engine can, in others. */
export interface Signals {
  readonly announce: (topic: Topic) => void;
  readonly subscribe: (topic: Topic, listener: () => void) => () => void;
}

/** Signals within the process. A listener hears once per announcement, after the announcer went on. */
export function createSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    announce(topic) {
      setImmediate(() => emitter.emit(topic));
    },
    subscribe(topic, listener) {
      const call = () => listener();
      emitter.on(topic, call);
      return () => void emitter.off(topic, call);
    },
  };
}
