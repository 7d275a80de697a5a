import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { LocalCheckout, LocalPage } from "../ports.ts";
import { type Bodies, maxEventBytes } from "./bodies.ts";

export interface BillingNeeds {
  readonly bodies: Bodies;
  /** Returns when the event's effect is stored. */
  readonly receiveEvent: (body: Uint8Array, signature: string) => Promise<void>;
  readonly localCheckout?: LocalCheckout | undefined;
}

/** Serves the biller's webhook and, in development, the page of the local biller. */
export function serveBilling(app: FastifyInstance, needs: BillingNeeds): void {
  const { bodies, receiveEvent, localCheckout } = needs;
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
  if (!localCheckout) return;
  localCheckout.onEvent(receiveEvent);
  serveLocalCheckout(app, localCheckout);
}

function serveLocalCheckout(app: FastifyInstance, checkout: LocalCheckout): void {
  const page = "/local-checkout/:id";
  app.get<{ Params: { id: string } }>(page, async ({ params }, reply) => send(reply, checkout.show(params.id)));
  for (const action of ["pay", "cancel"] as const)
    app.post<{ Params: { id: string } }>(`${page}/${action}`, async (request, reply) => {
      if (request.headers["sec-fetch-site"] === "cross-site")
        throw new ServiceError("invalidRequest", "Use the button on the page.", { status: 403 });
      return send(reply, await checkout.act(request.params.id, action));
    });
}

function send(reply: FastifyReply, page: LocalPage): FastifyReply {
  if ("location" in page) return reply.redirect(page.location, 303);
  return reply.code(page.status).headers(page.headers).send(page.html);
}
