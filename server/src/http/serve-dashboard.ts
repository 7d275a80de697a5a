import path from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import { linkGrammars, peopleBasePath } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { seemsSignedIn } from "./public-pages/public-document.ts";

/** Path of the dashboard's pages. */
export const dashboardPath = "/app";

/** This path works from the sources and from the build. */
const built = fileURLToPath(new URL("../../../web/dist", import.meta.url));

/**
 * Nothing but what this service serves itself, and neither scripts nor styles in the page; of a reel its player, which is
 * loaded when somebody plays it: the platform's, the videos of a stand-in, and files of the person's own.
 */
const securityPolicy = (videoOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `frame-src 'self' ${linkGrammars.map(({ playerOf }) => new URL(playerOf("", 0)).origin).join(" ")}`,
    `media-src 'self' ${videoOrigins.join(" ")}`.trim(),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const documentHeaders = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "same-origin",
};

/** Pages for people who aren't signed in, below the dashboard's path. */
const openPages: ReadonlySet<string> = new Set(["sign-in", "invitation", "signed-in", "connect/done"]);
const besideThePage: ReadonlySet<string> = new Set(["frame.css", "mark.svg", "theme.js"]);
const fileName = /^\w[\w-]*(\.\w+)+$/;
const yearInMilliseconds = 31_536_000_000;

export interface DashboardNeeds {
  /** Origins of videos that its player may load; a stand-in's. */
  readonly videoOrigins?: readonly string[] | undefined;
}

/**
 * The pages for people: one document at every path below `/app` that is no file, because the page itself knows its
 * paths. What the build has named after its content may be kept for ever.
 */
export function serveDashboard(app: FastifyInstance, { videoOrigins = [] }: DashboardNeeds): void {
  const headers = { "content-security-policy": securityPolicy(videoOrigins), ...documentHeaders };
  void app.register(fastifyStatic, { root: built, serve: false, preCompressed: true, index: false });
  const send = (reply: FastifyReply, file: string): FastifyReply =>
    reply
      .headers({ "cache-control": "no-cache", "cross-origin-resource-policy": "same-origin", vary: "accept-encoding" })
      .sendFile(file, { cacheControl: false });

  /** Without a session every call of the page would be refused, so the way leads to the sign-in page at once. */
  const sendPage = async (request: FastifyRequest, reply: FastifyReply, rest: string): Promise<FastifyReply> =>
    openPages.has(rest) || seemsSignedIn(request.headers.cookie)
      ? send(reply.headers(headers), "index.html")
      : reply
          .headers({ "cache-control": "no-store" })
          .redirect(`${dashboardPath}/sign-in?${new URLSearchParams({ return_to: request.url }).toString()}`, 302);

  const assets = `${dashboardPath}/assets/`;
  app.get(dashboardPath, (request, reply) => sendPage(request, reply, ""));
  app.get<{ Params: { "*": string } }>(`${assets}*`, async (request, reply) => {
    const name = request.params["*"];
    if (!fileName.test(name)) return reply.callNotFound();
    reply.headers({ "cross-origin-resource-policy": "same-origin", vary: "accept-encoding" });
    return reply.sendFile(path.posix.join("assets", name), { immutable: true, maxAge: yearInMilliseconds });
  });
  app.get<{ Params: { "*": string } }>(`${dashboardPath}/*`, async (request, reply) => {
    const rest = request.params["*"];
    if (besideThePage.has(rest)) return send(reply, rest);
    if (`${dashboardPath}/${rest}/`.startsWith(`${peopleBasePath}/`)) return reply.callNotFound();
    return sendPage(request, reply, rest);
  });
}
