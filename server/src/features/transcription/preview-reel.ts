import type { TranscriptBeginning, ReelLocator, Transcriptions, RateLimits, Clock } from "../../ports.ts";
import { createCountCalls } from "../../rules/count-calls.ts";
import type { RateLimitSettings } from "../../run/admission.ts";

/** Seconds of speech that people without an account may read of a cached reel. */
const previewSeconds = 15;

type ReelPreview =
  /** The beginning of a cached transcript; its last line ends where the preview does. */
  | { readonly kind: "beginning"; readonly beginning: TranscriptBeginning; readonly previewSeconds: number }
  /** A reel that isn't cached, or a share link that only the platform can resolve. */
  | { readonly kind: "unknown" };

/** Shows how a reel begins if somebody has transcribed it; asks no platform and stores nothing. Throws `RateLimited`. */
export type PreviewReel = (url: string, network: string) => Promise<ReelPreview>;

interface PreviewNeeds {
  readonly locator: ReelLocator;
  readonly transcriptions: Transcriptions;
  readonly rateLimits: RateLimits;
  readonly limits: RateLimitSettings;
  readonly clock: Clock;
}

export function previewReel({ locator, transcriptions, rateLimits, limits, clock }: PreviewNeeds): PreviewReel {
  const count = createCountCalls({ rateLimits, clock, kind: "preview", calls: "reels", limit: limits.address });
  return async (url, network) => {
    await count(network);
    const reel = locator.read(url);
    const beginning = reel && (await transcriptions.readBeginning(reel, previewSeconds));
    return beginning === undefined || beginning.text.trim() === ""
      ? { kind: "unknown" }
      : { kind: "beginning", previewSeconds, beginning: { ...beginning, segments: beginning.segments.map(cutAtEnd) } };
  };
}

/** A line that goes beyond the preview keeps its share of words. */
function cutAtEnd<Line extends { readonly start: number; readonly end: number; readonly text: string }>(
  line: Line,
): Line {
  if (line.end <= previewSeconds) return line;
  const words = line.text.trim().split(/\s+/);
  const share = (previewSeconds - line.start) / (line.end - line.start);
  return {
    ...line,
    end: previewSeconds,
    text: `${words.slice(0, Math.max(1, Math.floor(words.length * share))).join(" ")}…`,
  };
}
