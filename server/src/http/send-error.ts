import type { ServiceError } from "@reelscript/contract";
import type { FastifyReply } from "fastify";
import { envelopeOf, errorHeaders, rateHeaders } from "../error-response.ts";
import { RateLimited } from "../run.ts";

export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  if (error instanceof RateLimited) reply.headers(rateHeaders(error.rate));
  return reply.code(error.status).headers(errorHeaders(error)).send(envelopeOf(error));
}
