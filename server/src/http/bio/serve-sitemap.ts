import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";

/** A file of the sitemap, compressed with gzip. Throws a `ServiceError`. */
export type ShowSitemap = (file: "index" | number) => Promise<Buffer>;

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
