import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { networkOf } from "../network-of.ts";
import type { Clock, RateLimits } from "../ports.ts";
import { noticePage, pageHeaders } from "./page.ts";

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Counts a request, and shows people a page where programs get an envelope. */
export type Guard = (answer: Answer) => RouteHandlerMethod;

/** At most so many requests of the sign-in in any hour from one network. */
export function createSignInGuard(needs: {
  readonly rateLimits: RateLimits;
  readonly limit: number;
  readonly clock: Clock;
  readonly onFault: (error: unknown, where: string) => void;
}): Guard {
  const { rateLimits, limit, clock, onFault } = needs;
  return (answer) =>
    async (request, reply): Promise<FastifyReply> => {
      try {
        const subject = `sign-in:${networkOf(request.ip)}`;
        const { taken, states } = await rateLimits.take(subject, [{ name: "address", limit }], clock.now());
        if (!taken) return refuse(reply, Math.max(1, Math.ceil(states[0]?.resetSeconds ?? 0)));
        return await answer(request, reply);
      } catch (error) {
        return sendFailure(reply, error, onFault);
      }
    };
}

function refuse(reply: FastifyReply, seconds: number): FastifyReply {
  const minutes = Math.ceil(seconds / 60);
  const html = noticePage(
    "Too many sign-ins",
    `Too many came from your network within an hour. It works again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { href: "/app", label: "Back" },
  );
  return reply
    .code(429)
    .headers({ ...pageHeaders, "retry-after": String(seconds) })
    .send(html);
}

export function sendFailure(
  reply: FastifyReply,
  error: unknown,
  onFault: (error: unknown, where: string) => void,
): FastifyReply {
  if (!(error instanceof ServiceError)) onFault(error, "sign-in");
  const known = error instanceof ServiceError;
  const html = noticePage(
    known && error.status < 500 ? "This was refused" : "This did not work",
    known ? error.message : "Something broke on our side. Nothing was changed.",
    { href: "/app", label: "Back" },
  );
  const wait: Record<string, string> =
    known && error.retryAfter !== undefined ? { "retry-after": String(error.retryAfter) } : {};
  return reply
    .code(known ? error.status : 500)
    .headers({ ...pageHeaders, ...wait })
    .send(html);
}
