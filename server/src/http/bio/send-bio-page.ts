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

/** Sends a page as the browser can take it, or 304 when it has the page already. What it sends is made once for as long as the page is kept. */
export function createSendBioPage(clock: Clock) {
  const compressed = createCompressed();
  const made = new WeakMap<
    RenderedPage,
    { readonly tag: string; readonly headers: Readonly<Record<string, string>> }
  >();
  const madeOf = (page: RenderedPage) => {
    const known = made.get(page);
    if (known !== undefined) return known;
    // Weak, because each encoding has bytes of its own.
    const tag = `W/${entityTagOf(page.html)}`;
    const headers = { ...page.headers, "cache-control": sharedCaching(), vary: "accept-encoding" };
    made.set(page, { tag, headers });
    return { tag, headers };
  };
  return (request: FastifyRequest, reply: FastifyReply, { page, until }: SentBioPage) => {
    const { tag, headers } = madeOf(page);
    reply.headers(headers);
    if (until !== undefined)
      reply.header("cache-control", sharedCaching(Math.floor((until.getTime() - clock.now().getTime()) / 1_000)));
    const encoding = encodingOf(request);
    const body = (): string | Buffer | Promise<Buffer> => {
      if (encoding === undefined) return page.html;
      reply.header("content-encoding", encoding);
      return compressed(page, encoding);
    };
    return sendTagged(request, reply, { tag, body });
  };
}
