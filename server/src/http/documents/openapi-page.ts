import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTagOf, sendTagged } from "../send-answer.ts";
import { openApi } from "./openapi.ts";

/** Answers the OpenAPI document, which is made when it is first asked for; the address is known only after listening. */
export function createOpenApiPage(
  baseUrl: () => string,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply> {
  let made: { readonly body: string; readonly tag: string } | undefined;
  const make = () => {
    const body = JSON.stringify(openApi(baseUrl()));
    return { body, tag: entityTagOf(body) };
  };
  return (request, reply) => {
    reply.type("application/json; charset=utf-8").header("cache-control", "no-cache");
    return sendTagged(request, reply, (made ??= make()));
  };
}
