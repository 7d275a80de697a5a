import { draftOffer, type Language } from "../languages.ts";

/** Why the next links of a batch wait. */
interface AwaitingBatch {
  readonly waitingFor?: "rateLimit" | "quota" | "queue" | "platform" | undefined;
  /** A moment in ISO 8601. */
  readonly continuesAt?: string | undefined;
  readonly counts: { readonly waiting: number };
}

interface LinkProgress {
  readonly status: "waiting" | "queued" | "running" | "done" | "failed" | "canceled";
  /** From 0 to 1, while it is running. */
  readonly progress?: number | undefined;
  readonly cached?: boolean | undefined;
}

interface RefusedLink {
  readonly url: string;
  readonly error?: { readonly message: string } | undefined;
}

/** Links in a language that is drafted where it is named. */
export interface DraftableLinks {
  readonly language: Language;
  readonly urls: readonly string[];
}

/** Says what the next links of a batch wait for; `undefined` if they aren't waiting. */
export function waitSentence({ waitingFor, continuesAt, counts }: AwaitingBatch): string | undefined {
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
export function linkState({ status, progress = 0, cached = false }: LinkProgress): string {
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
export function draftableLinks(links: readonly RefusedLink[]): readonly DraftableLinks[] {
  const byLanguage = new Map<Language, string[]>();
  for (const { url, error } of links) {
    const { language } = draftOffer(error?.message ?? "");
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), url]);
  }
  return [...byLanguage].map(([language, urls]) => ({ language, urls }));
}
