import Stripe from "stripe";

const timeout = 20_000;

/** Stripe's own client. With `apiBase` it speaks to another server, such as a mock of Stripe. */
export function createStripe({
  secretKey,
  apiBase,
  fetch,
}: {
  readonly secretKey: string;
  readonly apiBase?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}): Stripe {
  const base = apiBase === undefined ? undefined : new URL(apiBase);
  return new Stripe(secretKey, {
    timeout,
    telemetry: false,
    ...(base && {
      protocol: base.protocol === "http:" ? ("http" as const) : ("https" as const),
      host: base.hostname,
      ...(base.port !== "" && { port: base.port }),
    }),
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
}
