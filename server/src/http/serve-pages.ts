import { restBasePath, ServiceError, type Language, type RecognitionQuality } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ShowSitemap } from "../features/bio/show-sitemap.ts";
import type { Thumbnails } from "../ports.ts";
import { createDocsPage, createOpenApiPage, serveDocsFiles } from "./documents/docs-page.ts";
import { robotsText } from "./documents/well-known-texts.ts";
import { homePage, homePageHeaders } from "./public-pages/home-page.ts";
import { privacyPage, termsPage, type Operator } from "./public-pages/legal-pages.ts";
import { publicPageHeaders, seemsSignedIn } from "./public-pages/public-document.ts";
import { entityTagOf, pictureHeaders, prefers, sendTagged, sendText } from "./send-answer.ts";
import { dashboardPath } from "./serve-dashboard.ts";
import { serveSitemap } from "./bio/serve-bio-pages.ts";

export interface PageNeeds {
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly thumbnails: Thumbnails;
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
  /** In Markdown; /docs shows its code. */
  readonly webhooksGuide: string;
  /** The text of /llms.txt. */
  readonly llmsText: () => string;
  /** The text of /.well-known/security.txt; `undefined` when the operator names nobody. */
  readonly securityText: () => string | undefined;
  /** Named on the pages about privacy and terms. */
  readonly operator: Operator;
  readonly showSitemap: ShowSitemap;
  /** Throws a `ServiceError` when calls should go elsewhere. */
  readonly checkReady: () => Promise<void>;
}

/** Public resources: addresses, documentation, pictures and health. */
export function servePages(app: FastifyInstance, needs: PageNeeds): void {
  const describeRest = createOpenApiPage(needs.baseUrl);
  app.get("/", async (request, reply) => sendWelcome(request, reply, needs));
  for (const [path, page] of [
    ["/privacy", privacyPage],
    ["/terms", termsPage],
  ] as const)
    app.get(path, async (request, reply) =>
      sendText(request, reply.headers(publicPageHeaders), page(needs.operator, seemsSignedIn(request.headers.cookie))),
    );
  for (const path of [`${restBasePath}/openapi.json`, "/openapi.json"]) app.get(path, describeRest);
  app.get("/llms.txt", async (request, reply) => sendPlain(request, reply, needs.llmsText()));
  app.get("/.well-known/security.txt", async (request, reply) => {
    const text = needs.securityText();
    if (text === undefined) throw new ServiceError("notFound", "This service has no contact for reports.");
    return sendPlain(request, reply, text);
  });
  app.get("/robots.txt", async (request, reply) => sendPlain(request, reply, robotsText(needs.baseUrl())));
  serveSitemap(app, needs.showSitemap);
  app.get("/connect", async (request, reply) => {
    const query = request.url.replace(/^[^?]*/, "");
    return reply.redirect(`${dashboardPath}/connect${query}`, 302);
  });
  app.get("/docs/", async (_request, reply) => reply.redirect("../docs", 301));
  app.get("/docs", createDocsPage(needs.baseUrl, needs.webhooksGuide));
  serveDocsFiles(app);
  app.get(thumbnailPath, async (request, reply) => sendThumbnail(request, reply, needs));
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    await needs.checkReady();
    return { status: "ready" };
  });
}

const sendPlain = (request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply | Promise<FastifyReply> =>
  sendText(request, reply.type("text/plain; charset=utf-8"), text);

/** A person in a browser sees the home page, or the dashboard once signed in; a program sees where things are. */
function sendWelcome(
  request: FastifyRequest,
  reply: FastifyReply,
  { baseUrl: publicUrl, languageQuality }: PageNeeds,
): FastifyReply | Promise<FastifyReply> {
  reply.header("vary", "accept");
  if (prefers(request, "text/html")) {
    reply.header("vary", "accept, cookie");
    return seemsSignedIn(request.headers.cookie)
      ? reply.redirect(dashboardPath.slice(1), 302)
      : sendText(request, reply.headers(homePageHeaders), homePage(languageQuality));
  }
  const baseUrl = publicUrl();
  return reply.send({
    name: "Reelscript",
    rest: `${baseUrl}${restBasePath}`,
    mcp: `${baseUrl}/mcp`,
    docs: `${baseUrl}/docs`,
    openApi: `${baseUrl}/openapi.json`,
    llms: `${baseUrl}/llms.txt`,
  });
}

const thumbnailPath = "/media/thumbnails/:platform/:file";

/** The stored picture of a reel, cacheable by anybody forever: it never changes. */
async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  { thumbnails }: PageNeeds,
): Promise<FastifyReply> {
  const { platform = "", file = "" } = request.params as { platform?: string; file?: string };
  const mediaId = /^([\w-]{1,64})\.webp$/.exec(file)?.[1];
  const picture = mediaId === undefined ? undefined : await thumbnails.read({ platform, mediaId });
  if (picture === undefined) throw new ServiceError("notFound", "Picture not found.");
  const body = Buffer.from(picture.bytes);
  return sendTagged(request, reply.headers(pictureHeaders("webp")), { tag: entityTagOf(body), body });
}
