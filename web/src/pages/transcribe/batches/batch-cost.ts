import type { Output } from "@reelscript/client/core";
import { useOperation } from "../../../api/use-operation.ts";
import { counted, exactNumber } from "../../../format.ts";

/** The cost of a batch before it is sent. */
export interface BatchCost {
  readonly sentence: string;
  /** Links that don't cost more than there is: the free ones, and the first of the others. */
  readonly linksToSend: readonly string[];
  /** True if the chosen links are the first of the list. */
  readonly isBeginning: boolean;
}

interface Pasted {
  /** The reels, each once. */
  readonly reels: readonly string[];
  readonly duplicates: number;
}

const staleTime = 30_000;

/** Asks the service what the links would cost; `undefined` until it responds. Without a response, all links are chosen. */
export function useBatchCost({ reels, duplicates }: Pasted, languageHint: string): BatchCost | undefined {
  const input = { urls: [...reels], dryRun: true, ...(languageHint !== "" && { languageHint }) };
  const { data, error } = useOperation("createBatch", input, { enabled: reels.length > 1, staleTime });
  if (reels.length < 2) return undefined;
  if (error !== null) return { sentence: "", linksToSend: reels, isBeginning: true };
  return data && costOf(data, { reels, duplicates });
}

export function costOf(
  { links, estimate }: Pick<Output<"createBatch">, "links" | "estimate">,
  { reels, duplicates }: Pasted,
): BatchCost {
  const { cached, fresh, fit, usage } = estimate;
  let room = fit;
  const linksToSend = links.filter((link) => link.cached || (link.status === "waiting" && (room -= 1) >= 0));
  const left = Math.max(0, usage.limit - usage.used);
  const counts = [
    counted(reels.length, "reel", "reels"),
    ...(duplicates > 0 ? [counted(duplicates, "duplicate", "duplicates")] : []),
    ...(cached > 0 ? [`${exactNumber(cached)} already transcribed (free)`] : []),
  ];
  const price =
    fresh === 0
      ? "Free."
      : fit < fresh
        ? `${fit === 0 ? "None" : exactNumber(fit)} of ${cached === 0 ? "them" : `the ${exactNumber(fresh)} new ones`} ${fit === 1 ? "fits" : "fit"} your plan.`
        : `Uses at most ${exactNumber(fresh)} of your ${counted(left, "transcription", "transcriptions")}.`;
  return {
    sentence: `${counts.join(", ")}. ${price}`,
    linksToSend: linksToSend.map(({ url }) => url),
    isBeginning: linksToSend.every((link, index) => link === links[index]),
  };
}
