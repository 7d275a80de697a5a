import type { FastifyReply, FastifyRequest } from "fastify";
import type { Configuration, errors as Errors, Provider } from "oidc-provider";

let last: Promise<unknown> = Promise.resolve();

/**
 * The library is loaded when it is needed, and warns of what is meant here: old runtimes, and what is kept in memory. One at
 * a time, so that each puts back what it found.
 */
export function loadProvider(issuer: string, configure: (errors: typeof Errors) => Configuration): Promise<Provider> {
  const mine = last.then(async () => {
    const { warn, info } = console;
    const silent = (): void => undefined;
    Object.assign(console, { warn: silent, info: silent });
    try {
      const { errors, Provider: OidcProvider } = await import("oidc-provider");
      const created = new OidcProvider(issuer, configure(errors));
      created.proxy = true;
      return created;
    } finally {
      Object.assign(console, { warn, info });
    }
  });
  last = mine.catch(() => undefined);
  return mine;
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
