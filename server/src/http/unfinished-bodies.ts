import type { IncomingMessage } from "node:http";
import { networkOf } from "../callers/network-of.ts";

interface UnfinishedBody {
  readonly request: IncomingMessage;
  readonly ofNetwork: Set<UnfinishedBody>;
  readonly refuse: () => void;
}

export interface UnfinishedBodies {
  /** Keeps a place until the body has arrived; `refuse` is called when a newer one needs it. */
  enter(address: string, request: IncomingMessage, refuse: () => void): void;
}

/**
 * Of all networks and of one, so many bodies may be arriving at a time. A new one takes the place of the oldest: a true
 * sender is done within moments, and many that never end cannot keep it out.
 */
export function createUnfinishedBodies(most: number, mostOfNetwork: number): UnfinishedBodies {
  const all = new Set<UnfinishedBody>();
  const networks = new Map<string, Set<UnfinishedBody>>();

  function leave(body: UnfinishedBody): void {
    all.delete(body);
    body.ofNetwork.delete(body);
  }

  function makeRoom(bodies: ReadonlySet<UnfinishedBody>, places: number): void {
    if (bodies.size < places) return;
    for (const body of bodies) if (body.request.complete) leave(body);
    const [oldest] = bodies;
    if (bodies.size < places || oldest === undefined) return;
    leave(oldest);
    oldest.refuse();
  }

  return {
    enter(address, request, refuse) {
      const network = networkOf(address);
      const ofNetwork = networks.get(network) ?? new Set();
      makeRoom(ofNetwork, mostOfNetwork);
      makeRoom(all, most);
      const body = { request, ofNetwork, refuse };
      all.add(body);
      ofNetwork.add(body);
      networks.set(network, ofNetwork);
      const end = (): void => {
        leave(body);
        if (ofNetwork.size === 0 && networks.get(network) === ofNetwork) networks.delete(network);
      };
      request.once("end", end).once("close", end);
    },
  };
}
