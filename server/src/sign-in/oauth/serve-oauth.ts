import { type OauthNeeds, createAuthorizationServer, mcpAddress, oauthPaths, scopes } from "./authorization-server.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../../callers/network-of.ts";
import { answerBy, asSeen } from "./load-provider.ts";
import { serveConsent } from "./serve-consent.ts";

const registrationsPerHour = 20;
const failuresPerHour = 120;
const revocationsPerHour = 120;
const longestBody = 8_192;

/** OAuth 2.1 for programs that ask for scripts and tools over MCP. */
export function serveOauth(app: FastifyInstance, needs: OauthNeeds): void {
  const { rateLimits, clock, baseUrl, guard, uncounted } = needs;
  const provider = createAuthorizationServer(needs);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const made = await provider();
    needs.showContentType(request.raw);
    return answerBy(made, request, reply, asSeen(request, baseUrl()));
  }

  const atMost =
    (limit: number, name: string, isCounted: (status: number) => boolean) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const subject = `${name}:${networkOf(request.ip)}`;
      const bucket = { name: "address", limit } as const;
      const [state] = await rateLimits.peek(subject, [bucket], clock.now());
      if (state?.remaining === 0) return tooMany(reply, state.resetSeconds);
      if (isTooLong(request)) return tooLong(reply);
      await answer(request, reply);
      if (isCounted(reply.raw.statusCode)) await rateLimits.take(subject, [bucket], clock.now());
      return reply;
    };

  app.get(
    oauthPaths.authorization,
    guard((request, reply) => {
      request.raw.url = withKnownScopes(request.url, baseUrl());
      return answer(request, reply);
    }),
  );
  app.get(`${oauthPaths.authorization}/:uid`, uncounted(answer));
  app.post(oauthPaths.registration, async (request, reply) => {
    openToAll(reply);
    if (isTooLong(request)) return tooLong(reply);
    const bucket = { name: "address", limit: registrationsPerHour } as const;
    const subject = `program-registration:${networkOf(request.ip)}`;
    const { taken, states } = await rateLimits.take(subject, [bucket], clock.now());
    return taken ? answer(request, reply) : tooMany(reply, states[0]?.resetSeconds ?? 0);
  });
  // Programs behind one address are many, so only what fails counts, and not that one of them renews too often.
  const isWrong = (status: number): boolean => status >= 400 && status !== 429;
  app.post(oauthPaths.token, atMost(failuresPerHour, "program", isWrong));
  // A token that nobody has is revoked like any other.
  app.post(
    oauthPaths.revocation,
    atMost(revocationsPerHour, "program-revocation", () => true),
  );
  for (const path of [oauthPaths.token, oauthPaths.revocation]) app.options(path, answer);
  app.options(oauthPaths.registration, async (_request, reply) =>
    openToAll(reply).raw.setHeader("access-control-allow-headers", "content-type").writeHead(204).end(),
  );
  serveMetadata(app, baseUrl);
  serveConsent(app, { ...needs, provider });
}

/** What programs find out by themselves; any page may read it. */
function serveMetadata(app: FastifyInstance, baseUrl: () => string): void {
  const resource = () => ({
    resource: mcpAddress(baseUrl()),
    resource_name: "Reelscript",
    resource_documentation: `${baseUrl()}/docs`,
    authorization_servers: [baseUrl()],
    scopes_supported: scopes,
    bearer_methods_supported: ["header"],
  });
  const server = () => ({
    issuer: baseUrl(),
    authorization_endpoint: `${baseUrl()}${oauthPaths.authorization}`,
    token_endpoint: `${baseUrl()}${oauthPaths.token}`,
    registration_endpoint: `${baseUrl()}${oauthPaths.registration}`,
    revocation_endpoint: `${baseUrl()}${oauthPaths.revocation}`,
    scopes_supported: scopes,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  const open = (path: string, document: () => object): void => {
    app.get(path, async (_request, reply) =>
      reply.header("access-control-allow-origin", "*").header("cache-control", "max-age=300").send(document()),
    );
  };
  open("/.well-known/oauth-protected-resource", resource);
  open("/.well-known/oauth-protected-resource/mcp", resource);
  open("/.well-known/oauth-authorization-server", server);
}

/** On the raw answer, which the library writes itself. */
function openToAll(reply: FastifyReply): FastifyReply {
  reply.raw.setHeader("access-control-allow-origin", "*");
  return reply;
}

const isTooLong = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > longestBody;

const tooLong = (reply: FastifyReply): FastifyReply =>
  reply
    .code(413)
    .header("connection", "close")
    .send({ error: "invalid_request", error_description: `Send at most ${longestBody} bytes, and say how many.` });

const tooMany = (reply: FastifyReply, seconds: number): FastifyReply =>
  reply
    .code(429)
    .header("retry-after", String(Math.max(1, Math.ceil(seconds))))
    .send({ error: "temporarily_unavailable", error_description: "Too many requests from your network." });

/** Programs ask for scopes of other kinds, such as `openid`, or for none: they get all that there are. */
function withKnownScopes(path: string, baseUrl: string): string {
  const url = new URL(path, baseUrl);
  const asked = (url.searchParams.get("scope") ?? "").split(" ").filter((scope) => scopes.some((one) => one === scope));
  url.searchParams.set("scope", (asked.length > 0 ? asked : scopes).join(" "));
  return url.pathname + url.search;
}
