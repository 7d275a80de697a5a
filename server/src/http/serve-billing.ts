import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { DevelopmentBillerPages, DevelopmentPage } from "../ports.ts";
import type { MethodTable } from "./method-table.ts";
import { readBytes } from "./read-body.ts";

const maxEventBytes = 1_000_000;

/** Serves the webhook of the biller and, in development, the pages of the one that stands in for it. */
export function serveBilling(
  app: FastifyInstance,
  needs: {
    /** Returns when the event's effect is stored. */
    readonly receiveEvent: (body: Uint8Array, signature: string) => Promise<void>;
    readonly developmentBiller: DevelopmentBillerPages | undefined;
    readonly methods: MethodTable;
  },
): void {
  const { receiveEvent, developmentBiller, methods } = needs;
  methods.add("/webhooks/stripe", "POST");
  app.post("/webhooks/stripe", async (request) => {
    const signature = request.headers["stripe-signature"];
    // The signature is of the bytes as they came.
    await receiveEvent(await readBytes(request.raw, maxEventBytes), typeof signature === "string" ? signature : "");
    return { received: true };
  });
  if (developmentBiller) servePages(app, developmentBiller, methods);
}

function servePages(app: FastifyInstance, biller: DevelopmentBillerPages, methods: MethodTable): void {
  for (const kind of ["pay", "portal"] as const) {
    const page = `/dev-billing/${kind}/:id`;
    methods.add(page, "GET");
    app.get<{ Params: { id: string } }>(page, async ({ params }, reply) => send(reply, biller.show(kind, params.id)));
    for (const path of [`${page}/:what`, `${page}/:what/:action`]) {
      methods.add(path, "POST");
      app.post<{ Params: { id: string; what: string; action?: string } }>(path, async (request, reply) => {
        if (request.headers["sec-fetch-site"] === "cross-site")
          throw new ServiceError("invalidRequest", "Press the button on the page itself.", { status: 403 });
        const { id, what, action } = request.params;
        return send(reply, await biller.act(kind, id, action === undefined ? what : `${what}/${action}`));
      });
    }
  }
}

function send(reply: FastifyReply, page: DevelopmentPage): FastifyReply {
  if ("location" in page) return reply.redirect(page.location, 303);
  const style = /<style>(.*?)<\/style>/s.exec(page.html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  return reply
    .code(page.status)
    .headers({
      "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "referrer-policy": "same-origin",
    })
    .type("text/html; charset=utf-8")
    .send(page.html);
}
