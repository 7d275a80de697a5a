/** Entry of the child process that unpacks pictures of strangers, one at a time. It gets what it needs in messages. */
import { ServiceError } from "@reelscript/contract/values";
import sharp from "sharp";
import { drawImage, drawThumbnail } from "./draw-image.ts";
import type { PictureAnswer, PictureJob } from "./picture-job.ts";

// Each thread keeps rows of its own, and two children share the machine's cores.
sharp.concurrency(1);
sharp.cache(false);

// Without the parent there is nobody to draw for.
process.on("disconnect", () => process.exit());
// A terminal's Ctrl-C reaches the whole group; the parent decides when its children end.
process.on("SIGINT", () => undefined);
process.on("message", (job) => {
  void answerTo(job as PictureJob).then((answer) => process.send?.(answer));
});

async function answerTo(job: PictureJob): Promise<PictureAnswer> {
  const { buffer, byteOffset, byteLength } = job.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  try {
    return { drawn: await (job.kind === "image" ? drawImage(bytes, job.crop) : drawThumbnail(bytes)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) return { failed: String(error) };
    return { failed: error.message, status: error.status };
  }
}
