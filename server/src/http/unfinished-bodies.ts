import type { IncomingMessage } from "node:http";
import { networkOf } from "../callers/network-of.ts";

/** Limit of buffered bytes per body: the largest JSON allowed. Larger bodies have slots of their own. */
const largest = 256 * 1_024;
/** Within each window that many bytes have to arrive: 2 kB a second. A phone with a poor connection sends more. */
const usualWindowSeconds = 5;
const leastOfWindow = 10_000;

interface UnfinishedBody {
  readonly request: IncomingMessage;
  readonly bytes: number;
  readonly ofNetwork: Set<UnfinishedBody>;
  readonly refuse: () => void;
}

export interface UnfinishedBodies {
  /** Keeps a place until the body has arrived; `refuse` is called when a newer one needs it, `drop` when it is too slow. */
  enter(
    address: string,
    request: IncomingMessage,
    ends: { readonly refuse: () => void; readonly drop: () => void },
  ): void;
}

/**
 * So many bytes of all networks, and so many bodies of one, may be arriving at a time. A new body takes the place of the
 * oldest: a true sender is done within moments, and many that never end cannot keep it out.
 */
export function createUnfinishedBodies(
  mostBytes: number,
  mostOfNetwork: number,
  windowSeconds = usualWindowSeconds,
): UnfinishedBodies {
  const all = new Set<UnfinishedBody>();
  let bytesOfAll = 0;
  const networks = new Map<string, Set<UnfinishedBody>>();

  function leave(body: UnfinishedBody): void {
    if (!all.delete(body)) return;
    bytesOfAll -= body.bytes;
    body.ofNetwork.delete(body);
  }

  function makeRoom(bodies: ReadonlySet<UnfinishedBody>, isFull: () => boolean): void {
    if (!isFull()) return;
    for (const body of bodies) if (body.request.complete) leave(body);
    for (const oldest of bodies) {
      if (!isFull()) return;
      leave(oldest);
      oldest.refuse();
    }
  }

  return {
    enter(address, request, { refuse, drop }) {
      const network = networkOf(address);
      const ofNetwork = networks.get(network) ?? new Set();
      const bytes = Math.min(largest, Number(request.headers["content-length"] ?? largest));
      makeRoom(ofNetwork, () => ofNetwork.size >= mostOfNetwork);
      makeRoom(all, () => bytesOfAll + bytes > mostBytes);
      const body = { request, bytes, ofNetwork, refuse };
      all.add(body);
      bytesOfAll += bytes;
      ofNetwork.add(body);
      networks.set(network, ofNetwork);
      const pace = watchPace(request, windowSeconds, drop);
      const end = (): void => {
        clearInterval(pace);
        leave(body);
        if (ofNetwork.size === 0 && networks.get(network) === ofNetwork) networks.delete(network);
      };
      request.once("end", end).once("close", end);
    },
  };
}

function watchPace(request: IncomingMessage, windowSeconds: number, drop: () => void): NodeJS.Timeout {
  const { socket } = request;
  let before = socket.bytesRead;
  return setInterval(() => {
    const arrived = socket.bytesRead - before;
    before = socket.bytesRead;
    // A full buffer means that the sender waits for us, so it isn't dropped.
    if (arrived < leastOfWindow && request.readableLength < request.readableHighWaterMark && !request.complete) drop();
  }, windowSeconds * 1_000).unref();
}
