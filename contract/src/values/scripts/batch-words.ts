import type { Batch } from "../../transcripts/batch.ts";
import { draftOffer } from "../languages.ts";
import type { Language } from "../languages.ts";

/** Says what the next links of a batch wait for; `undefined` if they aren't waiting. */
export function waitSentence({
  waitingFor,
  continuesAt,
  counts,
}: Pick<Batch, "waitingFor" | "continuesAt" | "counts">): string | undefined {
  if (waitingFor === undefined || counts.waiting === 0) return undefined;
  if (waitingFor === "rateLimit") {
    const minutes = Math.ceil((Date.parse(continuesAt ?? "") - Date.now()) / 60_000);
    return `You’ve reached the hour’s limit. The next reels begin ${minutes > 0 ? `in ${minutes} min` : "soon"}.`;
  }
  if (waitingFor === "quota") return "The rest waits for reels that hold your last transcriptions.";
  if (waitingFor === "queue") return "The rest waits for a free place in the queue.";
  return "The platform isn’t answering. We’ll ask again.";
}

/** The state of a link that has no error, in words. */
export function linkState({
  status,
  progress = 0,
  cached = false,
}: Pick<Batch["links"][number], "status" | "progress"> & { readonly cached?: boolean | undefined }): string {
  return {
    waiting: "Waiting",
    queued: "Waiting",
    running: `Transcribing, ${Math.round(progress * 100)}%`,
    done: cached ? "Free: already transcribed" : "Transcribed",
    failed: "Failed",
    canceled: "Canceled",
  }[status];
}

/** The links that a language's name would turn into drafts, by that language. */
export function draftableLinks(
  links: readonly Pick<Batch["links"][number], "url" | "error">[],
): readonly { readonly language: Language; readonly urls: readonly string[] }[] {
  const byLanguage = new Map<Language, string[]>();
  for (const { url, error } of links) {
    const { language } = draftOffer(error?.message ?? "");
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), url]);
  }
  return [...byLanguage].map(([language, urls]) => ({ language, urls }));
}
