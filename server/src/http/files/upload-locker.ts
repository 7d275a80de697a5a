import type { Lock, Locker, RequestRelease } from "@tus/server";

interface Held {
  /** Asks its request to end. */
  readonly release: RequestRelease;
  readonly released: Promise<void>;
}

/**
 * One request of a process writes or reads an upload at a time: the last one that came, and the one before ends with what it has
 * stored. The library's own lock computes for as long as it waits.
 */
export function createUploadLocker(): Locker {
  const held = new Map<string, Held>();
  return {
    newLock(id): Lock {
      let free = (): void => undefined;
      return {
        async lock(_signal, release) {
          const before = held.get(id);
          const turn: Held = { release, released: new Promise<void>((resolve) => (free = resolve)) };
          held.set(id, turn);
          void turn.released.then(() => held.get(id) === turn && held.delete(id));
          await before?.release();
          await before?.released;
        },
        async unlock() {
          free();
        },
      };
    },
  };
}
