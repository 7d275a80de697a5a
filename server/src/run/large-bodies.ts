import type { Operation } from "@reelscript/contract";
import { createPlaces, type WhileWaiting } from "./places.ts";

/** From so many bytes on, a body is read only while its sender has few others. */
const leastBytes = 512 * 1_024;
/** Bodies of one subject that are read and worked on at a time, of at most 8 MB each, and calls that may wait for that. */
const ofSubject = { atATime: 2, waiting: 16 };

interface Wait {
  readonly signal: AbortSignal;
  /** A moment of `performance.now()`. */
  readonly deadline: number;
  readonly whileWaiting: WhileWaiting;
}

/** The memory that large bodies take: what exceeds a subject's share stays unread on its connection until its turn comes. */
export interface LargeBodies {
  /**
   * Returns the function that ends the turn, which does nothing for an operation whose bodies are small. Throws `rateLimited` if
   * too many of the subject wait or its turn doesn't come before the deadline, and the signal's reason.
   */
  enter(operation: Operation, subject: string, wait: Wait): Promise<() => void>;
}

export function createLargeBodies(): LargeBodies {
  const places = createPlaces(ofSubject);
  return {
    async enter({ http: { maxBodyBytes = 0 } }, subject, { signal, deadline, whileWaiting }) {
      if (maxBodyBytes < leastBytes) return () => undefined;
      const entering = places.enter(subject, { signal, deadline });
      const place = await (entering instanceof Promise ? whileWaiting(() => entering) : entering);
      return () => place.leave();
    },
  };
}
