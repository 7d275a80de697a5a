import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { DevelopmentBillerPages, DevelopmentPage } from "../ports.ts";
import { type Bodies, maxEventBytes } from "./bodies/bodies.ts";

export interface BillingNeeds {
  readonly bodies: Bodies;
  /** Returns when the event's effect is stored. */
  readonly receiveEvent: (body: Uint8Array, signature: string) => Promise<void>;
  readonly developmentBiller?: DevelopmentBillerPages | undefined;
}

/** Serves the biller's webhook and, in development, the pages of the development biller. */
export function serveBilling(app: FastifyInstance, needs: BillingNeeds): void {
  const { bodies, receiveEvent, developmentBiller } = needs;
  app.post("/webhooks/stripe", async (request, reply) => {
    const signature = request.headers["stripe-signature"];
    try {
      if (typeof signature !== "string" || signature === "")
        throw new ServiceError("invalidRequest", "The signature is missing, wrong or more than five minutes old.");
      // The signature is of the bytes as they came.
      const event = await bodies.readWhole(request, reply, { room: "events", maxBytes: maxEventBytes });
      await receiveEvent(event, signature);
    } catch (error) {
      // The connection closes rather than read the rest of a refused body.
      if (!request.raw.complete) reply.header("connection", "close");
      throw error;
    }
    return { received: true };
  });
  if (developmentBiller) serveDevelopmentPages(app, developmentBiller);
}

function serveDevelopmentPages(app: FastifyInstance, biller: DevelopmentBillerPages): void {
  for (const kind of ["pay", "portal"] as const) {
    const page = `/dev-billing/${kind}/:id`;
    app.get<{ Params: { id: string } }>(page, async ({ params }, reply) => send(reply, biller.show(kind, params.id)));
    for (const path of [`${page}/:what`, `${page}/:what/:action`])
      app.post<{ Params: { id: string; what: string; action?: string } }>(path, async (request, reply) => {
        if (request.headers["sec-fetch-site"] === "cross-site")
          throw new ServiceError("invalidRequest", "Use the button on the page.", { status: 403 });
        const { id, what, action } = request.params;
        return send(reply, await biller.act(kind, id, action === undefined ? what : `${what}/${action}`));
      });
  }
}

function send(reply: FastifyReply, page: DevelopmentPage): FastifyReply {
  if ("location" in page) return reply.redirect(page.location, 303);
  return reply.code(page.status).headers(page.headers).send(page.html);
}
