import type { FastifyReply, FastifyRequest } from "fastify";
import type { Configuration, errors as Errors, KoaContextWithOIDC, Provider } from "oidc-provider";

let last: Promise<unknown> = Promise.resolve();

/** The library's response to a program. */
export interface Said {
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** Decides whether the library may redirect a browser to a program with this response. */
export type MayLeave = (context: KoaContextWithOIDC, said: Said) => Promise<boolean>;

/**
 * The library is loaded on first use, and it warns about intended choices: old runtimes, and state in memory. Loads run one at
 * a time, so that each restores what it found. Only the response mode `query` is kept: the others would make our own origin
 * send a form, or pass a fragment to any redirect target.
 */
export function loadProvider(
  issuer: string,
  configure: (errors: typeof Errors) => Configuration,
  {
    mayLeave,
    answerHere,
  }: {
    readonly mayLeave: MayLeave;
    readonly answerHere: (context: KoaContextWithOIDC, said: Said) => void;
  },
): Promise<Provider> {
  const mine = last.then(async () => {
    const { warn, info } = console;
    const silent = (): void => undefined;
    Object.assign(console, { warn: silent, info: silent });
    try {
      const { errors, Provider: OidcProvider } = await import("oidc-provider");
      class QueryProvider extends OidcProvider {
        override registerResponseMode(...[name, answer]: Parameters<Provider["registerResponseMode"]>): void {
          if (name !== "query") return;
          super.registerResponseMode(name, async (context, address, said) => {
            if (await mayLeave(context, said)) return answer(context, address, said);
            return answerHere(context, said);
          });
        }
      }
      const created = new QueryProvider(issuer, configure(errors));
      created.proxy = true;
      return created;
    } finally {
      Object.assign(console, { warn, info });
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}

/**
 * The library derives its own address from the request, so the request gets the address that users see, whatever a proxy
 * changed.
 */
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

/** Lets the library answer a modified request. */
export async function answerBy(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  rawRequest: FastifyRequest["raw"],
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw
    .setHeader("x-request-id", request.id)
    .setHeader("x-content-type-options", "nosniff")
    .setHeader("cache-control", "no-store");
  const cookies = reply.getHeader("set-cookie");
  if (cookies !== undefined) reply.raw.setHeader("set-cookie", cookies as string | string[]);
  await provider.callback()(rawRequest, reply.raw);
  return reply;
}
