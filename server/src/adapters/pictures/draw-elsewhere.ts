import { ServiceError } from "@reelscript/contract";
import { createFairLine } from "../../rules/fair-line.ts";
import { formatOf, refuse } from "./picture-format.ts";
import type { PictureJob, PictureOf } from "./picture-job.ts";
import { createPictureProcess } from "./picture-process.ts";

const atATime = 2;
/** They wait in memory. */
const line = createFairLine({
  atATime,
  perOwner: 1,
  waiting: 24,
  refusal: (reason) =>
    reason === "owners"
      ? new ServiceError("rateLimited", "Your other images are still being drawn. Try again in a moment.", {
          reason: "tooManyRequests",
          retryAfter: 10,
        })
      : new ServiceError("unavailable", "Too many images are being drawn. Try again.", { retryAfter: 10 }),
});
const free = Array.from({ length: atATime }, () => createPictureProcess());

export interface PictureOwner {
  readonly name: string;
  /** Pictures of it that may wait at a time. */
  readonly mostWaiting: number;
}

/**
 * Draws a stranger's picture in another process, two at a time and one per owner. Throws `invalidRequest` if the picture is at
 * fault, `rateLimited` if too many of the owner's are waiting, and `unavailable` if too many are waiting in all.
 */
export async function drawElsewhere<Job extends PictureJob>(
  job: Job,
  owner: PictureOwner,
  longestSeconds?: number,
): Promise<PictureOf<Job>> {
  formatOf(Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength));
  try {
    return await line.run(
      owner.name,
      async () => {
        const drawer = free.pop()!; // safe: there is one for each turn
        return drawer.draw(job, longestSeconds).finally(() => free.push(drawer));
      },
      { mostWaiting: owner.mostWaiting },
    );
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw refuse(
      "the image is damaged, or takes too long to draw. Save it again as JPEG or PNG, then upload it.",
      error,
    );
  }
}
