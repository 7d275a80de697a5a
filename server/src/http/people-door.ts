import { operations, peopleOperations } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";

/** What signed-in people may ask for: everything that programs may, and what is theirs alone. */
export const peopleDoorOperations = { ...operations, ...peopleOperations };

/** Says whose session a request belongs to, and keeps the cookie up to date. A session that has ended is nobody's. */
export type AuthenticatePerson = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;
