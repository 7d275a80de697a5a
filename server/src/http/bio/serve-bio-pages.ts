import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../ports.ts";
import { bioPageTakenDown } from "../../rules/refusals.ts";
import { answerProblem, isForPeople, sendNotice } from "../problems/answer-problem.ts";
import { createSendBioPage, sharedCaching, type SentBioPage } from "./send-bio-page.ts";

interface ServeBioPagesNeeds {
  /** What is published at a handle, the same for everybody. */
  readonly showBioPage: (
    handle: string,
  ) => Promise<
    | SentBioPage
    | { readonly kind: "moved"; readonly handle: string }
    | { readonly kind: "takenDown" }
    | { readonly kind: "missing"; readonly handle: string; readonly isFree: boolean }
  >;
  /** The picture of a page's link, or where it is now. Throws a `ServiceError`. */
  readonly showShareCard: (
    handle: string,
    tag: string,
  ) => Promise<
    { readonly kind: "card"; readonly bytes: Uint8Array } | { readonly kind: "moved"; readonly path: string }
  >;
  readonly clock: Clock;
}

/** Somebody may claim it, and a page that was taken down may be restored. */
const secondsOfNothing = 10;

/** The public pages at `/@handle`. They read neither the query, the host nor a cookie, so that what a cache keeps is right for everybody. */
export function serveBioPages(app: FastifyInstance, { showBioPage, showShareCard, clock }: ServeBioPagesNeeds): void {
  const sendPage = createSendBioPage(clock);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handle: asked = "" } = request.params as { handle?: string };
    const shown = await showBioPage(asked);
    if (shown.kind === "takenDown") {
      reply.header("cache-control", sharedCaching(secondsOfNothing));
      throw bioPageTakenDown();
    }
    if (shown.kind !== "missing") {
      // Without the host, because a request can name any.
      const address = `/@${shown.kind === "moved" ? shown.handle : asked}`;
      if (shown.kind === "page" && request.originalUrl.split("?", 1)[0] === address)
        return sendPage(request, reply, shown);
      return reply.header("cache-control", sharedCaching()).redirect(address, 301);
    }
    reply.headers({ vary: "accept", "cache-control": sharedCaching(secondsOfNothing) });
    if (!isForPeople(request)) return answerProblem(request, reply, noPage());
    return sendNotice(reply, 404, shown.isFree ? freeNotice(shown.handle) : takenNotice);
  };
  const sendCard = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handle = "", file = "" } = request.params as { handle?: string; file?: string };
    const [, tag] = /^card-([\w-]{16})\.jpg$/.exec(file) ?? [];
    if (tag === undefined) throw noPage();
    const shown = await showShareCard(handle, tag);
    if (shown.kind === "moved") return reply.header("cache-control", sharedCaching()).redirect(shown.path, 302);
    return reply
      .headers({
        "content-type": "image/jpeg",
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "cross-origin",
      })
      .send(Buffer.from(shown.bytes));
  };
  for (const [path, handler] of [
    ["/@:handle", answer],
    ["/@:handle/", answer],
    ["/@:handle/:file", sendCard],
  ] as const)
    app.get(path, handler);
}

const noPage = (): ServiceError => new ServiceError("notFound", "No page has this address.");

const freeNotice = (handle: string) => ({
  title: "This address is still free",
  text: "Nobody has claimed it yet. Make it yours: one page for all your links.",
  captions: [`@${handle}`, "could be you"],
  act: { href: `/app/bio?tab=address&handle=${encodeURIComponent(handle)}`, label: `Claim @${handle}` },
});

const takenNotice = {
  title: "There’s no page here",
  text: "The page may have moved to another address, or the address has a typing error.",
  captions: ["No page", "here"],
};
