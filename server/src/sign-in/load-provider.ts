import type { FastifyReply, FastifyRequest } from "fastify";
import type { Configuration, Provider } from "oidc-provider";

let last: Promise<unknown> = Promise.resolve();

/** The library warns of what is meant here: old runtimes, and what is kept in memory. One at a time, so that each puts back what it found. */
function quietly<Result>(work: () => Promise<Result>): Promise<Result> {
  const mine = last.then(async () => {
    const { warn, info } = console;
    const silent = (): void => undefined;
    console.warn = silent;
    console.info = silent;
    try {
      return await work();
    } finally {
      console.warn = warn;
      console.info = info;
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}

/** Loaded when it is needed. */
export const loadLibrary = () => quietly(() => import("oidc-provider"));

export async function loadProvider(issuer: string, configuration: Configuration): Promise<Provider> {
  const { Provider: OidcProvider } = await loadLibrary();
  return quietly(async () => {
    const created = new OidcProvider(issuer, configuration);
    created.proxy = true;
    return created;
  });
}

/** The library reads its own address from the request; it is the one that users see, whatever a proxy made of it. */
export function asSeen({ raw, ip }: FastifyRequest, baseUrl: string): FastifyRequest["raw"] {
  const { host, protocol } = new URL(baseUrl);
  Object.assign(raw.headers, {
    host,
    "x-forwarded-host": host,
    "x-forwarded-proto": protocol.replace(":", ""),
    "x-forwarded-for": ip,
  });
  return raw;
}

/** Made when it is first needed, because our own address may be known only then, and again after a failure. */
export function onceMade(make: () => Promise<Provider>): () => Promise<Provider> {
  let made: Promise<Provider> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

/** Lets the library answer a request, as it is shown it. */
export async function answerBy(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: FastifyRequest["raw"],
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw
    .setHeader("x-request-id", request.id)
    .setHeader("x-content-type-options", "nosniff")
    .setHeader("cache-control", "no-store");
  await provider.callback()(shown, reply.raw);
  return reply;
}
