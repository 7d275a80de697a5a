import type { ServiceError } from "@reelscript/contract";
import type { FastifyReply } from "fastify";
import { envelopeOf, errorHeaders, rateHeaders } from "../../run/error-response.ts";
import { RateLimited } from "../../rules/rate-limited.ts";

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimited) reply.headers(rateHeaders(error.rate));
  if (error.reason !== undefined) reply.header("x-error-reason", error.reason);
  return reply.code(error.status).headers(errorHeaders(error)).send(envelopeOf(error));
}
