import type { FastifyReply, FastifyRequest } from "fastify";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import type { Clock } from "../../ports.ts";
import { createCompressed, encodingOf } from "../compressed.ts";
import { entityTagOf, sendTagged } from "../entity-tag.ts";

export interface SentBioPage {
  readonly kind: "page";
  readonly page: RenderedPage;
  /** When it looks different by itself. */
  readonly until: Date | undefined;
}

/** A change is to be seen everywhere within a minute. */
const longestSeconds = 60;

/** Caches between us and the browser may keep an answer so long; the browser asks each time. */
export const sharedCaching = (seconds = longestSeconds): string =>
  `public, max-age=0, s-maxage=${Math.max(0, Math.min(longestSeconds, seconds))}`;

/** Sends a page as the browser can take it, or 304 when it has the page already. */
export function createSendBioPage(clock: Clock) {
  const compressed = createCompressed();
  const tags = new WeakMap<RenderedPage, string>();
  const tagOf = (page: RenderedPage): string => {
    // Weak, because each encoding has bytes of its own.
    const tag = tags.get(page) ?? `W/${entityTagOf(page.html)}`;
    tags.set(page, tag);
    return tag;
  };
  return async (request: FastifyRequest, reply: FastifyReply, { page, until }: SentBioPage): Promise<FastifyReply> => {
    const left = until && Math.floor((until.getTime() - clock.now().getTime()) / 1_000);
    reply.headers({ ...page.headers, "cache-control": sharedCaching(left), vary: "accept-encoding" });
    const encoding = encodingOf(request);
    const body = async (): Promise<string | Buffer> => {
      if (encoding === undefined) return page.html;
      reply.header("content-encoding", encoding);
      return compressed(page, encoding);
    };
    return sendTagged(request, reply, { tag: tagOf(page), body });
  };
}
