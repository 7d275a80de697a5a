import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import Stripe from "stripe";

interface ToldEvent {
  readonly type: string;
  readonly object: unknown;
}

/** As unreliable as the real thing: in any order, and now and then one twice. */
export function disorder<Event>(events: readonly Event[]): Event[] {
  const some = events.flatMap((event) => (Math.random() < 0.2 ? [event, event] : [event]));
  return some
    .map((event) => ({ event, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

const tries = 5;

/** Posts signed events to our own webhook, several at a time, each until it is taken. Throws when one never is. */
export async function deliverEvents(
  events: readonly ToldEvent[],
  to: {
    readonly url: string;
    readonly stripe: Stripe;
    readonly secret: string;
    readonly created: number;
    readonly disorder: typeof disorder;
  },
): Promise<void> {
  const signed = events.map(({ type, object }) =>
    JSON.stringify({
      id: `evt_dev${randomBytes(16).toString("hex")}`,
      object: "event",
      api_version: Stripe.API_VERSION,
      created: to.created,
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
      data: { object },
    }),
  );
  await Promise.all(to.disorder(signed).map(async (payload) => deliver(payload, to)));
}

async function deliver(
  payload: string,
  { url, stripe, secret }: { readonly url: string; readonly stripe: Stripe; readonly secret: string },
): Promise<void> {
  let problem: unknown;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await sleep(100 * 2 ** attempt);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret });
    const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
    try {
      const answer = await fetch(url, { method: "POST", headers, body: payload });
      await answer.body?.cancel();
      if (answer.ok) return;
      problem = new Error(`the webhook answered ${answer.status}`);
    } catch (error) {
      problem = error;
    }
  }
  throw new Error("An event of the development biller was not taken", { cause: problem });
}
