import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Configuration, Provider } from "oidc-provider";
import type { ProviderSettings } from "./identity-provider.ts";
import { asSeen } from "./load-provider.ts";
import { openDevelopmentProvider } from "./open-development-provider.ts";
import { messagePage, pageHeaders } from "./page.ts";

/** Under which its identities are stored: where it listens may change, who somebody is must not. */
export const developmentIssuer = "development";

/** Whom its page proposes. */
export const developmentPerson = "developer@example.com";

export const providerPath = "/dev-idp";

export interface DevelopmentProvider {
  /** What our own side of the sign-in needs to know of it. */
  settings(): Promise<ProviderSettings>;
  /** Answers a request below its path. */
  answer(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Whether the browser is about to say who it is. */
  asks(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Takes the browser's word for it and says where it continues. */
  accept(email: string, request: FastifyRequest, reply: FastifyReply): Promise<string>;
}

/**
 * A real OpenID Connect provider that asks for no password: whoever reaches it can be anyone. Made when it is first
 * needed, because our own address may be known only then; what it remembers is gone with the process.
 */
export function createDevelopmentProvider(baseUrl: () => string): DevelopmentProvider {
  const client = {
    issuer: () => `${baseUrl()}${providerPath}`,
    id: "reelscript",
    secret: randomBytes(32).toString("base64url"),
  };
  let made: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> =>
    (made ??= openDevelopmentProvider({ client, baseUrl, cookieName, renderError }).catch((error: unknown) => {
      made = undefined;
      throw error;
    }));

  /** Services on one machine share their cookies, so the name tells the port. */
  const cookieName = (name: string): string => `reelscript_development_${name}_${new URL(baseUrl()).port}`;

  /** It is shown no session of its own, so that it asks each time, and a browser may sign in as one person after another. */
  function shown(request: FastifyRequest): FastifyRequest["raw"] {
    const raw = asSeen(request, baseUrl());
    raw.headers.cookie = (raw.headers.cookie ?? "")
      .split(/;\s*/)
      .filter((pair) => !pair.startsWith(cookieName("session")))
      .join("; ");
    return raw;
  }

  return {
    settings: async () => ({ issuer: client.issuer(), clientId: client.id, clientSecret: client.secret }),
    async answer(request, reply) {
      const handle = (await provider()).callback();
      const raw = shown(request);
      const path = raw.url ?? "";
      Object.assign(raw, { originalUrl: path, url: path.slice(providerPath.length) });
      reply.hijack();
      reply.raw
        .setHeader("x-request-id", request.id)
        .setHeader("x-content-type-options", "nosniff")
        .setHeader("cache-control", "no-store");
      await handle(raw, reply.raw);
    },
    async asks(request, reply) {
      return (await provider()).interactionDetails(shown(request), reply.raw).then(
        () => true,
        () => false,
      );
    },
    async accept(email, request, reply) {
      const result = { login: { accountId: email } };
      return (await provider()).interactionResult(shown(request), reply.raw, result, {
        mergeWithLastSubmission: false,
      });
    },
  };
}

const renderError: Configuration["renderError"] = (context) => {
  for (const [name, value] of Object.entries(pageHeaders)) context.set(name, value);
  context.body = expiredPage;
};

export const expiredPage = messagePage(
  "This sign-in has expired",
  "It was open for too long, was finished before, or began in another browser.",
  { href: "/auth/login", label: "Sign in again" },
);
