import { Readable } from "node:stream";
import { peopleBasePath, ServiceError } from "@reelscript/contract";
import type { FastifyInstance } from "fastify";
import type { ReadKeptFile } from "../../features/files/read-kept-file.ts";
import type { ForOwner } from "../bio/bio-preview.ts";

export interface KeptFileNeeds {
  readonly readKeptFile: ReadKeptFile;
}

/** Nothing in a stranger's file is ever run or shown as a page. */
const inert = { "content-security-policy": "default-src 'none'; sandbox", "accept-ranges": "bytes" };

/** `GET /app/api/files/<id>/media` plays a kept file to the person who owns it, in ranges. */
export function serveKeptFiles(app: FastifyInstance, { readKeptFile }: KeptFileNeeds, forOwner: ForOwner): void {
  app.get(`${peopleBasePath}/files/:id/media`, { exposeHeadRoute: false }, async (request, reply) => {
    const { id = "" } = request.params as { id?: string };
    const file = await forOwner(request, reply, (account) => readKeptFile.find(account.id, id));
    const range = rangeOf(request.headers.range, file.size);
    if (range === undefined)
      throw new ServiceError("invalidRequest", "The range is outside the file.", { status: 400 });
    const { from, to } = range;
    const isPart = request.headers.range !== undefined;
    return reply
      .code(isPart ? 206 : 200)
      .headers({ ...inert, "content-length": to - from + 1 })
      .headers(isPart ? { "content-range": `bytes ${from}-${to}/${file.size}` } : {})
      .type(file.mediaType)
      .send(Readable.from(readKeptFile.bytes(file, from, to), { objectMode: false, highWaterMark: 65_536 }));
  });
}

/** The first and the last byte that a header asks for; of several ranges the first. */
function rangeOf(header: string | undefined, size: number): { readonly from: number; readonly to: number } | undefined {
  if (header === undefined) return { from: 0, to: size - 1 };
  const [, start = "", end = ""] = /^bytes=(\d{0,15})-(\d{0,15})/.exec(header) ?? [];
  if (start === "" && end === "") return undefined;
  const from = start === "" ? Math.max(0, size - Number(end)) : Number(start);
  const to = start === "" || end === "" ? size - 1 : Math.min(Number(end), size - 1);
  return from > to ? undefined : { from, to };
}
