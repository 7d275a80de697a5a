import { restBasePath } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const preflightSeconds = "86400";

/** Headers for pages of other sites that call REST. They never allow cookies. */
const forAnyone = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ETag, Location, Idempotent-Replayed, Preference-Applied, x-request-id, x-error-reason",
};
const preflightForAnyone = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer",
  "access-control-max-age": preflightSeconds,
};

const mcpForOrigin = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "Retry-After, WWW-Authenticate, x-request-id",
});
const preflightOfMcp = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID",
  "access-control-max-age": preflightSeconds,
};

const openPages: ReadonlySet<string> = new Set(["/openapi.json", "/llms.txt"]);

/**
 * Lets pages of any site call REST with a key, and those of `origins` and of the visitor's own machine MCP: both take no cookie, so that a page gets nothing
 * that it has no key for. Everything else stays closed to other sites.
 */
export function allowOtherOrigins(app: FastifyInstance, origins: readonly string[]): void {
  /** Sets the CORS headers and returns those of a preflight; `undefined` for paths that are closed to the other site. */
  const allow = (request: FastifyRequest, reply: FastifyReply): Record<string, string> | undefined => {
    const [path = ""] = request.url.split("?", 1);
    if (path.startsWith(`${restBasePath}/`) || openPages.has(path)) {
      reply.headers(forAnyone);
      return preflightForAnyone;
    }
    if (path !== "/mcp") return undefined;
    const { origin } = request.headers;
    // Set on the raw response, which the protocol library writes itself.
    reply.raw.setHeader("vary", "origin");
    if (origin === undefined || !(origins.includes(origin) || isLoopback(origin))) return undefined;
    for (const [name, value] of Object.entries(mcpForOrigin(origin))) reply.raw.setHeader(name, value);
    return preflightOfMcp;
  };
  app.addHook("onRequest", (request, reply, done) => {
    const preflight = allow(request, reply);
    if (preflight !== undefined && isPreflight(request)) reply.code(204).headers(preflight).send();
    else done();
  });
}

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Pages on the visitor's own machine, such as an inspector of MCP, whatever their port. */
const isLoopback = (origin: string): boolean => URL.canParse(origin) && loopback.has(new URL(origin).hostname);

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
