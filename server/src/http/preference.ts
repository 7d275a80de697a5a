import { fillPath, operations, type Operation, type OperationName } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Whether the caller would rather not wait, where the operation can do without. */
export const prefersAsync = (request: FastifyRequest, { http }: Operation): boolean =>
  http.respondAsync !== undefined &&
  (request.headers.prefer?.toString() ?? "")
    .split(",")
    .some((preference) => preference.split(";", 1)[0]?.trim().toLowerCase() === "respond-async");

/** Most reels take a few seconds; a caller who asks every second would be out of calls before a long one is done. */
const pollSeconds = 10;

/** 202, and where the work can be followed. */
export function sendAccepted(
  reply: FastifyReply,
  { http }: Operation,
  basePath: string,
  output: Record<string, unknown>,
): FastifyReply {
  return reply
    .code(202)
    .header("location", basePath + pathToFollow(http.respondAsync as OperationName, String(output.id)))
    .header("retry-after", String(pollSeconds))
    .header("preference-applied", "respond-async")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(output));
}

/** Where the caller's own work is followed, below the base path. */
export function pathToFollow(name: OperationName, id: string): string {
  const { path } = (operations as Record<string, Operation>)[name]!.http;
  return fillPath(path, () => encodeURIComponent(id));
}
