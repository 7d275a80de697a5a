import { bioLimits, operations, ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { UploadBioImage } from "../../features/bio/host-images.ts";
import type { Crop, ImageForm, BioImages } from "../../ports.ts";
import { readInput } from "../../run/schemas.ts";
import type { Bodies } from "../bodies.ts";
import { isJson, queryOf, readBody } from "../read-request.ts";
import { pictureHeaders } from "../send-answer.ts";
import type { ForOwner } from "./bio-preview.ts";

export interface BioImageNeeds {
  readonly bioImages: BioImages;
  readonly bodies: Bodies;
  readonly uploadBioImage: UploadBioImage;
}

const ImageAddress = z.strictObject({ url: operations.updateBioPage.input.shape.avatarUrl.unwrap().unwrap() });

/**
 * `POST /app/bio/images` takes an image of a signed-in person: a file's bytes, or its URL as JSON; `?crop=left,top,width,height`
 * keeps a part of it, in parts of 1. `forOwner` runs the upload as a call that changes the page. `GET /media/images/<id>` gives it to everybody, for good: what is in it never changes.
 */
export function serveBioImages(
  app: FastifyInstance,
  { bodies, uploadBioImage, bioImages }: BioImageNeeds,
  forOwner: ForOwner,
): void {
  const read = async (request: FastifyRequest, reply: FastifyReply, owner: string) => {
    if (isJson(request.raw)) return readInput(ImageAddress, await readBody(request.raw));
    const how = { room: "images", maxBytes: bioLimits.imageBytes, owner } as const;
    return bodies.readWhole(request, reply, how).catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 413)
        throw new ServiceError("invalidRequest", `the image is larger than ${bioLimits.imageBytes / 1_000_000} MB.`, {
          status: 413,
        });
      throw error;
    });
  };
  app.post("/app/bio/images", async (request, reply) => {
    try {
      const image = await forOwner(request, reply, ({ id }, whileWaiting) => {
        const crop = cropOf(queryOf(request).get("crop"));
        // Sites, senders and the process that draws have bounds of their own.
        return whileWaiting(async () => uploadBioImage(id, { from: await read(request, reply, id), crop }));
      });
      return await reply.code(201).send(image);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "invalidRequest") throw error;
      const { message, status } = error;
      throw new ServiceError(
        "invalidRequest",
        message.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
        {
          status: status as 400 | 413 | 415 | 422, // safe: no other status is thrown here
          cause: error,
        },
      );
    }
  });
  app.get("/media/images/:file", async (request, reply) => {
    const { file = "" } = request.params as { file?: string };
    const [, id, size = "-large", ending] = /^([\w-]{22})(-small)?\.(webp|jpg)$/.exec(file) ?? [];
    const form = `${size.slice(1)}.${ending}` as ImageForm; // safe: the pattern has just these
    const bytes = id === undefined ? undefined : await bioImages.read(id, form);
    if (bytes === undefined) throw new ServiceError("notFound", "This image doesn't exist, or was deleted.");
    return reply
      .headers(pictureHeaders(ending === "webp" ? "webp" : "jpeg"))
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
}

function cropOf(text: string | null): Crop | undefined {
  if (text === null) return undefined;
  const [left = -1, top = -1, width = 0, height = 0, ...more] = text.split(",").map(Number);
  const isWithin = [left, top].every((part) => part >= 0 && part < 1) && [width, height].every((part) => part > 0);
  // Browsers round, so the crop may be off by the last digit.
  if (!isWithin || more.length > 0 || left + width > 1.001 || top + height > 1.001)
    throw new ServiceError(
      "invalidRequest",
      "`crop`: must be left, top, width and height within the image, such as 0,0.1,1,0.8.",
    );
  return { left, top, width, height };
}
