import { peopleBasePath, restBasePath } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReadKeptFile } from "../../features/files/read-kept-file.ts";
import type { ReadVideo } from "../../features/files/read-video.ts";
import type { ForOwner } from "../bio/bio-preview.ts";
import { attachmentOf } from "../send-answer.ts";
import { createBoundReaders, sendRange } from "./send-range.ts";

export interface KeptFileNeeds {
  readonly readKeptFile: ReadKeptFile;
  readonly readVideo: ReadVideo;
}

/** Serves media to the account that owns them, in ranges: kept files to a person, finished videos to programs with a key, too. */
export function serveKeptFiles(
  app: FastifyInstance,
  { readKeptFile, readVideo }: KeptFileNeeds,
  owners: { readonly person: ForOwner; readonly program: ForOwner },
): void {
  const boundReaders = createBoundReaders();
  app.get(`${peopleBasePath}/files/:id/media`, { exposeHeadRoute: false }, async (request, reply) => {
    const file = await owners.person(request, reply, async ({ id: accountId }) => {
      const keptFile = await readKeptFile.find(accountId, idIn(request));
      boundReaders(accountId, reply.raw);
      return keptFile;
    });
    return sendRange(request, reply, {
      size: file.size,
      mediaType: file.mediaType,
      bytes: (from, to) => readKeptFile.bytes(file, from, to),
    });
  });
  const sendVideo =
    (forOwner: ForOwner) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const video = await forOwner(request, reply, async ({ id: accountId }) => {
        const keptVideo = await readVideo.find(accountId, idIn(request));
        boundReaders(accountId, reply.raw);
        return keptVideo;
      });
      reply.header("content-disposition", attachmentOf(`${video.scriptId}-${video.style}`, "mp4"));
      return sendRange(request, reply, {
        size: video.size,
        mediaType: "video/mp4",
        bytes: (from, to) => readVideo.bytes(video, from, to),
      });
    };
  app.get(`${peopleBasePath}/videos/:id/media`, { exposeHeadRoute: false }, sendVideo(owners.person));
  app.get(`${restBasePath}/videos/:id/media`, { exposeHeadRoute: false }, sendVideo(owners.program));
}

const idIn = (request: FastifyRequest): string => (request.params as { readonly id?: string }).id ?? "";
