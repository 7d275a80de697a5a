import { bioLimits, ServiceError } from "@reelscript/contract";
import type { ImageSource } from "../../ports.ts";
import { FetchFailure, type FetchFailureReason } from "../guarded-fetch/fetch-failure.ts";
import { createGuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import { drawElsewhere } from "./draw-elsewhere.ts";

const userAgent = "Mozilla/5.0 (compatible; Reelscript/1.0)";
/** Of an account. A change of its page draws three at a time. */
const mostWaiting = 6;
const limits = { mediaSeconds: 15, silenceSeconds: 5 };

/** One for both, so that names of private addresses can't be told from missing ones. */
const unreachable =
  "nothing on the public web answers at this address, or too slowly. Upload the image in the dashboard instead.";

const refusals: Readonly<Record<FetchFailureReason, string>> = {
  refused: unreachable,
  unreachable,
  proxyFailed: unreachable,
  tooLarge: `the image is larger than ${bioLimits.imageBytes / 1_000_000} MB.`,
  badStatus: "there is no image at this address.",
};

/** Images of any public https address. */
export function createImageSource(
  reach: Pick<Parameters<typeof createGuardedFetch>[0], "origins" | "mayBePrivate" | "nameServers"> = {
    origins: ["https://*"],
    mayBePrivate: false,
  },
): ImageSource {
  const fetch = createGuardedFetch({ ...reach, userAgent, limits });
  return {
    async fetch(url, signal) {
      try {
        return (await fetch.bytes(new URL(url), { maxBytes: bioLimits.imageBytes }, signal)).bytes;
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        throw new ServiceError("invalidRequest", refusals[error.reason], { cause: error });
      }
    },
    draw: (accountId, bytes, crop) =>
      drawElsewhere({ kind: "image", bytes, crop }, { name: accountId, waiting: mostWaiting }),
  };
}
