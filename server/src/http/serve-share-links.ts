import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import type { OpenScriptExport } from "../features/library/export-scripts.ts";
import { createWhileOpen, goneWith } from "../run/admission.ts";
import { sendStreamed } from "./send-streamed.ts";
import type { OpenReportLink, OpenShareLink } from "../features/share-links.ts";
import type { ScriptCard } from "../ports.ts";
import { answerProblem, isForPeople, sendNotice } from "./problems/answer-problem.ts";
import { seemsSignedIn } from "./public-pages/public-document.ts";
import { sharedReportHeaders, sharedReportPage } from "./public-pages/shared-report-page.ts";
import { gelColors } from "./public-pages/script-article.ts";
import { sharedScriptHeaders, sharedScriptPage, sharedTitleOf } from "./public-pages/shared-script-page.ts";
import { pictureHeaders } from "./send-answer.ts";

export interface ShareLinkNeeds {
  readonly openShareLink: OpenShareLink;
  readonly openReportLink: OpenReportLink;
  /** Throws `unavailable` when too many are being drawn. */
  readonly showScriptCard: (card: ScriptCard) => Promise<Uint8Array>;
  readonly baseUrl: () => string;
  /** Origins of videos that the player may load; a stand-in's. */
  readonly videoOrigins?: readonly string[] | undefined;
  readonly openScriptExport: OpenScriptExport;
  readonly closing: AbortSignal;
  readonly onFault: (error: unknown, where: string) => void;
}

type Noun = "script" | "report";

/**
 * Scripts that people share, at `/s/token`, and reports, at `/r/token`, and what they export, at `/exports/token`. Nothing of
 * them is kept by caches, so that a link that is revoked is over.
 */
export function serveShareLinks(
  app: FastifyInstance,
  {
    openShareLink,
    openReportLink,
    openScriptExport,
    showScriptCard,
    baseUrl,
    videoOrigins = [],
    closing,
    onFault,
  }: ShareLinkNeeds,
): void {
  const scriptHeaders = sharedScriptHeaders(videoOrigins);
  const whileOpen = createWhileOpen(closing);
  app.get("/exports/:token", async (request, reply) => {
    const result = await openScriptExport(tokenOf(request), networkOf(request.ip));
    reply.header("cache-control", "no-store").header("x-robots-tag", "noindex");
    if (result === undefined)
      return answerProblem(
        request,
        reply,
        new ServiceError("notFound", "This address doesn’t lead to a file. It works for 10 minutes: get a new one."),
      );
    const gone = goneWith(reply.raw);
    return whileOpen(gone, () =>
      sendStreamed(
        request,
        reply,
        { type: "text/csv", ending: "csv" },
        { result, signal: gone.signal, onFault: (error) => onFault(error, "export of scripts") },
      ),
    );
  });
  app.get("/s/:token", async (request, reply) => {
    const script = await openShareLink(tokenOf(request), networkOf(request.ip));
    if (script === undefined) return answerEnded(request, reply, "script");
    const picture = `${baseUrl()}/s/${tokenOf(request)}/card.jpg`;
    const isSignedIn = seemsSignedIn(request.headers.cookie);
    return reply.headers(scriptHeaders).send(sharedScriptPage(script, { isSignedIn, picture }));
  });
  app.get("/s/:token/card.jpg", async (request, reply) => {
    const script = await openShareLink(tokenOf(request), networkOf(request.ip));
    if (script === undefined) return answerEnded(request, reply, "script");
    const { reel, text } = script.transcript;
    const [ground, words] = gelColors(reel.url);
    const bytes = await showScriptCard({ title: sharedTitleOf(text), handle: reel.author.handle, ground, words });
    return reply
      .headers({ ...pictureHeaders("jpeg"), "cache-control": "private, no-store", "x-robots-tag": "noindex" })
      .send(Buffer.from(bytes));
  });
  app.get("/r/:token", async (request, reply) => {
    const shared = await openReportLink(tokenOf(request), networkOf(request.ip));
    if (shared === undefined) return answerEnded(request, reply, "report");
    return reply.headers(sharedReportHeaders).send(sharedReportPage(shared, seemsSignedIn(request.headers.cookie)));
  });
}

function tokenOf({ params }: FastifyRequest): string {
  const { token = "" } = params as { token?: string };
  return token;
}

function answerEnded(request: FastifyRequest, reply: FastifyReply, noun: Noun) {
  if (isForPeople(request)) return sendNotice(reply.header("vary", "accept"), 404, endedNotice(noun));
  return answerProblem(
    request,
    reply,
    new ServiceError("notFound", `This link doesn’t lead to a ${noun}. It may have been revoked.`),
  );
}

const endedNotice = (noun: Noun) => ({
  title: "This link doesn’t work",
  text: `The person who shared the ${noun} may have revoked the link or deleted the ${noun}. Ask them for a new link.`,
  captions: ["Nothing", "to read"],
});
