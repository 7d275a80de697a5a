import type { Claim, ReelDetails, ReelSource } from "../ports.ts";
import type { PlatformHealth } from "./platform-health.ts";

/** The platform does not answer this worker, and another one is to try. */
export class PlatformUnanswered extends Error {
  override readonly name = "PlatformUnanswered";

  constructor(cause: unknown) {
    super("The platform does not answer this worker. Another one tries.", { cause });
  }
}

/** Writes the media into `file`. Throws `PlatformUnanswered` as soon as another worker had better try. */
export async function fetchReel(
  { source, platform }: { readonly source: ReelSource; readonly platform: PlatformHealth },
  claim: Claim,
  file: string,
  signal: AbortSignal,
): Promise<ReelDetails> {
  const givenUp = new AbortController();
  let isUnanswered = false;
  const onUnanswered = (): void => {
    isUnanswered = true;
    if (platform.mayPassOn(claim)) givenUp.abort();
  };
  try {
    const reel = await source.fetch(claim.reel, file, AbortSignal.any([signal, givenUp.signal]), onUnanswered);
    platform.answered();
    return reel;
  } catch (error) {
    if (signal.aborted) throw error;
    if (isUnanswered) platform.unanswered();
    else platform.answered();
    throw givenUp.signal.aborted ? new PlatformUnanswered(error) : error;
  }
}
