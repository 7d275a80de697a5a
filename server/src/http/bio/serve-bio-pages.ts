import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import type { ShowBioPage, ShownBioPage } from "../../features/bio/show-bio-page.ts";
import type { ShowShareCard } from "../../features/bio/show-share-card.ts";
import type { ShowSitemap } from "../../features/bio/show-sitemap.ts";
import type { Clock } from "../../ports.ts";
import { bioPageTakenDown } from "../../rules/refusals.ts";
import { answerProblem, isForPeople, sendNotice } from "../problems/answer-problem.ts";
import { createSendDocument, pictureHeaders } from "../send-answer.ts";

export interface BioPageNeeds {
  readonly showBioPage: ShowBioPage;
  readonly showShareCard: ShowShareCard;
  readonly clock: Clock;
}

/** Somebody may claim it, and a page that was taken down may be restored. */
const secondsOfNothing = 10;

/** The public pages at `/@handle`. They read neither the query, the host nor a cookie, so that what a cache keeps is right for everybody. */
export function serveBioPages(app: FastifyInstance, { showBioPage, showShareCard, clock }: BioPageNeeds): void {
  const sendDocument = createSendDocument();
  const sendPage = (request: FastifyRequest, reply: FastifyReply, { page, until }: ShownBioPage) => {
    const seconds = until && Math.floor((until.getTime() - clock.now().getTime()) / 1_000);
    reply.headers(page.headers).headers({ "cache-control": sharedCaching(seconds), vary: "accept-encoding" });
    return sendDocument(request, reply, page);
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handle: requestedHandle = "" } = request.params as { handle?: string };
    const bioPage = await showBioPage(requestedHandle);
    if (bioPage.kind === "takenDown") {
      reply.header("cache-control", sharedCaching(secondsOfNothing));
      throw bioPageTakenDown();
    }
    if (bioPage.kind !== "missing") {
      // Leaves out the host, because a request can name any.
      const address = `/@${bioPage.kind === "moved" ? bioPage.handle : requestedHandle}`;
      if (bioPage.kind === "page" && request.originalUrl.split("?", 1)[0] === address)
        return sendPage(request, reply, bioPage);
      return reply.header("cache-control", sharedCaching()).redirect(address, 301);
    }
    reply.headers({ vary: "accept", "cache-control": sharedCaching(secondsOfNothing) });
    if (!isForPeople(request)) return answerProblem(request, reply, noPage());
    return sendNotice(reply, 404, bioPage.isFree ? freeNotice(bioPage.handle) : takenNotice);
  };
  const sendCard = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { handle = "", file = "" } = request.params as { handle?: string; file?: string };
    const [, tag] = /^card-([\w-]{16})\.jpg$/.exec(file) ?? [];
    if (tag === undefined) throw noPage();
    const card = await showShareCard(handle, tag);
    if (card.kind === "moved") return reply.header("cache-control", sharedCaching()).redirect(card.path, 302);
    return reply.headers(pictureHeaders("jpeg")).send(Buffer.from(card.bytes));
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
  text: "The page may have moved to another address, or the address has a typo.",
  captions: ["No page", "here"],
};

/** Files that a sitemap can have; which it has, its index says. */
const mostFiles = 20;

export function serveSitemap(app: FastifyInstance, showSitemap: ShowSitemap): void {
  const send = async (request: FastifyRequest, reply: FastifyReply, file: "index" | number): Promise<FastifyReply> => {
    const zipped = await showSitemap(file);
    reply.headers({
      "content-type": "application/xml; charset=utf-8",
      "cache-control": "public, max-age=3600",
      vary: "accept-encoding",
    });
    const isTaken = new Negotiator(request).encodings(["gzip"]).includes("gzip");
    if (isTaken) return reply.header("content-encoding", "gzip").send(zipped);
    return reply.send(Readable.from([zipped]).pipe(createGunzip()));
  };
  app.get("/sitemap.xml", async (request, reply) => send(request, reply, "index"));
  for (let file = 1; file <= mostFiles; file += 1)
    app.get(`/sitemap-${file}.xml`, async (request, reply) => send(request, reply, file));
}

/** A change is to be seen everywhere within a minute. */
const longestSeconds = 60;

/** Caches between us and the browser may keep an answer so long; the browser asks each time. */
const sharedCaching = (seconds = longestSeconds): string =>
  `public, max-age=0, s-maxage=${Math.max(0, Math.min(longestSeconds, seconds))}`;
