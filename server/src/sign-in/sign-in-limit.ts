import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import type { RateLimits, Clock } from "../ports.ts";
import { messagePage, pageHeaders } from "../markup/page.ts";

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Counts a request, and shows an error page where programs get an envelope. */
export type Guard = (answer: Answer) => RouteHandlerMethod;

/** Counts a request that turned out to need counting; by its network, unless a better subject is known. */
export type CountFirst = (answer: Answer, counted?: string) => Answer;

interface SignInGuard {
  readonly guard: Guard;
  /** Like `guard`, but without counting. */
  readonly uncounted: Guard;
  readonly countFirst: CountFirst;
}

interface SignInLimitNeeds {
  readonly rateLimits: RateLimits;
  readonly clock: Clock;
  /** Receives errors that are our fault. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Requests of one network in any hour. */
  readonly limit: number;
}

/** Limits the sign-in requests of a network to so many in any hour. */
export function createSignInGuard(needs: SignInLimitNeeds): SignInGuard {
  const { rateLimits, limit, clock, onFault } = needs;
  const countFirst: CountFirst = (answer, counted) => async (request, reply) => {
    const subject = `sign-in:${counted ?? networkOf(request.ip)}`;
    const { taken, states } = await rateLimits.take(subject, [{ name: "address", limit }], clock.now());
    if (!taken) return refuse(reply, Math.max(1, Math.ceil(states[0]?.resetSeconds ?? 0)));
    return answer(request, reply);
  };
  const uncounted: Guard = (answer) => (request, reply) =>
    answer(request, reply).catch((error: unknown) => sendFailure(reply, error, onFault));
  return { guard: (answer) => uncounted(countFirst(answer)), uncounted, countFirst };
}

function refuse(reply: FastifyReply, seconds: number): FastifyReply {
  const minutes = Math.ceil(seconds / 60);
  const text = `Too many sign-ins from your network. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
  return sendProblem(reply.code(429).header("retry-after", String(seconds)), "Too many sign-ins", text);
}

/** True for scripts of the dashboard; a browser that opens a page asks for HTML. */
export const acceptsJson = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes("application/json") ?? false;

const sendProblem = (reply: FastifyReply, title: string, message: string): FastifyReply =>
  acceptsJson(reply.request)
    ? reply.send({ error: { message } })
    : reply.headers(pageHeaders).send(messagePage(title, message, { href: "/app", label: "Back" }));

function sendFailure(
  reply: FastifyReply,
  error: unknown,
  onFault: (error: unknown, where: string) => void,
): FastifyReply {
  if (!(error instanceof ServiceError)) onFault(error, "sign-in");
  const isServiceError = error instanceof ServiceError;
  if (isServiceError && error.retryAfter !== undefined) reply.header("retry-after", String(error.retryAfter));
  return sendProblem(
    reply.code(isServiceError ? error.status : 500),
    isServiceError && error.status < 500 ? "This was refused" : "Sign-in failed",
    isServiceError ? error.message : "Something went wrong on our side. Nothing was changed.",
  );
}
