import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { suspended } from "../rules/refusals.ts";
import { networkOf } from "../callers/network-of.ts";
import type { Clock, Sessions } from "../ports.ts";
import type { Caller } from "../caller.ts";
import type { Cookies } from "./cookies.ts";
import { createSecret, hashOf } from "./secret.ts";
import { sessionNamed, sessionValue } from "./session-value.ts";

/** Says whose session a request belongs to; renews its cookie when that is due, and clears one that is worth nothing. */
export function createAuthenticatePerson({
  sessions,
  cookies,
  clock,
}: {
  readonly sessions: Sessions;
  readonly cookies: Cookies;
  readonly clock: Clock;
}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const value = cookies.read(request, "session");
    const next = createSecret();
    const now = clock.now();
    const nextHash = (id: string): Uint8Array => hashOf(sessionValue(id, next));
    const used = value && (await sessions.use({ ...sessionNamed(value), nextHash, now }));
    if (used) {
      const { session, account, renewed } = used;
      if (account.suspendedAt !== undefined)
        throw new ServiceError("unauthorized", suspended.message, { reason: "accountSuspended" });
      if (renewed)
        cookies.give(
          reply,
          "session",
          sessionValue(session.id, next),
          (session.expiresAt.getTime() - now.getTime()) / 1_000,
        );
      return { kind: "session", account, session };
    }
    if (cookies.has(request, "session")) cookies.clear(reply, "session");
    return { kind: "anonymous", address: networkOf(request.ip) };
  };
}
