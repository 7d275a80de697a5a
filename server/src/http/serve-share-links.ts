import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../callers/network-of.ts";
import type { OpenShareLink } from "../features/library/share-links.ts";
import { answerProblem, isForPeople, sendNotice } from "./problems/answer-problem.ts";
import { seemsSignedIn } from "./public-pages/public-document.ts";
import { sharedScriptHeaders, sharedScriptPage } from "./public-pages/shared-script-page.ts";

export interface ShareLinkNeeds {
  readonly openShareLink: OpenShareLink;
}

/** Scripts that people share, at `/s/token`. Nothing of them is kept by caches, so that a link that is revoked is over. */
export function serveShareLinks(app: FastifyInstance, { openShareLink }: ShareLinkNeeds): void {
  app.get("/s/:token", async (request: FastifyRequest, reply: FastifyReply) => {
    const { token = "" } = request.params as { token?: string };
    const script = await openShareLink(token, networkOf(request.ip));
    if (script !== undefined)
      return reply.headers(sharedScriptHeaders).send(sharedScriptPage(script, seemsSignedIn(request.headers.cookie)));
    if (isForPeople(request)) return sendNotice(reply.header("vary", "accept"), 404, endedNotice);
    return answerProblem(
      request,
      reply,
      new ServiceError("notFound", "This link doesn't lead to a script. It may have been revoked."),
    );
  });
}

const endedNotice = {
  title: "This link doesn’t work",
  text: "The person who shared the script may have revoked the link or deleted the script. Ask them for a new link.",
  captions: ["Nothing", "to read"],
};
