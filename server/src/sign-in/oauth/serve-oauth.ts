import {
  type OauthNeeds,
  createAuthorizationServer,
  mcpAddress,
  oauthPaths,
  refusalPage,
  scopes,
} from "./authorization-server.ts";
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageHeaders } from "../../markup/page.ts";
import { readAuthorization } from "./authorization-request.ts";
import { answerBy, asSeen } from "./load-provider.ts";
import { createOwnAddresses } from "./own-addresses.ts";
import { serveConsent } from "./serve-consent.ts";

const longestBody = 8_192;

/** OAuth 2.1 for programs that request scripts and tools over MCP. */
export function serveOauth(app: FastifyInstance, needs: OauthNeeds): void {
  const { baseUrl, uncounted, countFirst, authenticatePerson } = needs;
  const accounts = new WeakMap<IncomingMessage, string>();
  const provider = createAuthorizationServer({ ...needs, accountOf: (request) => accounts.get(request) });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const currentProvider = await provider();
    needs.showContentType(request.raw);
    return answerBy(currentProvider, request, reply, asSeen(request, baseUrl()));
  }

  const answerShort = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    isTooLong(request) ? tooLong(reply) : answer(request, reply);

  // A signed-in person is counted separately: strangers on the same network must not keep anybody from connecting a program.
  app.get(
    oauthPaths.authorization,
    uncounted(async (request, reply) => {
      const caller = await authenticatePerson(request, reply);
      const counted = caller.kind === "session" ? caller.account.id : undefined;
      if (counted !== undefined) accounts.set(request.raw, counted);
      const read = readAuthorization(request.url, scopes, createOwnAddresses(baseUrl(), needs.ownHosts));
      return countFirst(async () => {
        if ("reason" in read) return reply.code(400).headers(pageHeaders).send(refusalPage(read.reason));
        request.raw.url = read.address;
        return answer(request, reply);
      }, counted)(request, reply);
    }),
  );
  app.get(`${oauthPaths.authorization}/:uid`, uncounted(answer));
  app.post(oauthPaths.registration, async (request, reply) => answerShort(request, openToAll(reply)));
  for (const path of [oauthPaths.token, oauthPaths.revocation]) {
    app.post(path, answerShort);
    app.options(path, answer);
  }
  app.options(oauthPaths.registration, async (_request, reply) =>
    openToAll(reply).raw.setHeader("access-control-allow-headers", "content-type").writeHead(204).end(),
  );
  serveMetadata(app, baseUrl);
  serveConsent(app, { ...needs, provider });
}

/** Metadata that programs discover; any page may read them. */
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

/** Set on the raw response, which the library writes itself. */
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
