import { beginningOf, cutText } from "@reelscript/contract/values";
import {
  engagementRate,
  filePlatform,
  longestSentence,
  type Script,
  type FullScript,
  roughQualities,
  supportedLanguage,
  type Receipt,
} from "@reelscript/contract";
import type { ScriptRow, FoundScript, RecognizerVersion, ShareLink, Transcript } from "../ports.ts";
import { mayHearMore } from "../recognition/recognizer-of.ts";
import { isByOwnHead, qualityOf } from "../recognition/language-quality.ts";
import { callToActionOf, countWords, hookOf, openingOf } from "./spoken-parts.ts";

/** Shorter speech, in seconds, gives no meaningful pace. */
const shortestSpeech = 3;

/** A script without its times. */
interface SaidRow extends Omit<ScriptRow, "transcript" | "addedAt" | "correctedAt"> {
  readonly transcript: Omit<Transcript, "segments" | "gaps">;
}

/** A script as its owner sees it; a transcript longer than `mostCharacters` is cut. */
export function describeScript(row: SaidRow, mostCharacters = Number.POSITIVE_INFINITY): Script {
  const { id, transcript } = row;
  const { reel, text, language, truncated, createdAt } = transcript;
  const excerpt = cutText(text, mostCharacters);
  const rate = engagementRate(reel);
  const analysis = analysisOf(row);
  const hook = openingOf(text);
  return {
    id,
    reelUrl: reel.url,
    platform: reel.platform,
    ...(reel.author.handle !== null && { account: reel.author.handle }),
    ...(reel.caption !== null && { caption: reel.caption }),
    ...(hook !== "" && { hook }),
    transcript: excerpt,
    ...((truncated || excerpt !== text) && { truncated: true as const }),
    ...(truncated && { audioCut: true as const }),
    language,
    ...(isRough(transcript) && { rough: true as const }),
    ...(reel.views !== null && { views: reel.views }),
    ...(reel.likes !== null && { likes: reel.likes }),
    ...(reel.comments !== null && { comments: reel.comments }),
    ...(rate !== null && { engagementRate: rate }),
    ...(reel.postedAt !== null && { postedAt: reel.postedAt }),
    transcribedAt: createdAt.toISOString(),
    ...(row.tags.length > 0 && { tags: [...row.tags] }),
    ...(Object.keys(analysis).length > 0 && { analysis }),
  };
}

/**
 * True for a text in a language in which its model gets many or most words wrong, and for texts of an operator's own head: its
 * measured quality isn't stored here, and its mistakes are real words.
 */
export function isRough({ model, language }: Pick<Transcript, "model" | "language">): boolean {
  const supported = supportedLanguage(language);
  return supported !== undefined && (isByOwnHead(model) || roughQualities.has(qualityOf(model, supported)));
}

function analysisOf({ transcript, typicalViews, cut }: SaidRow): NonNullable<Script["analysis"]> {
  const { text, speechSeconds, reel } = transcript;
  const hook = hookOf(text);
  const callToAction = callToActionOf(cut === undefined ? text : `${text.slice(0, longestSentence)} ${cut.ending}`);
  // Only the beginning of a long text is read, and the rest is assumed to have as many words.
  const words = countWords(text) * (cut === undefined ? 1 : cut.length / text.length);
  return {
    ...(hook && { hook }),
    ...(callToAction && { callToAction }),
    ...(hook && speechSeconds >= shortestSpeech && { wordsPerMinute: Math.round((words / speechSeconds) * 60) }),
    ...(reel.views !== null &&
      typicalViews && { timesTypicalViews: Math.round((reel.views / typicalViews) * 100) / 100 }),
  };
}

type Described = ScriptRow & Partial<Pick<FoundScript, "heardBy" | "sharedRevision" | "words">>;

/** A script with its whole transcript, word times and receipt. */
export function describeFullScript(row: Described, recognizer?: RecognizerVersion): FullScript {
  const { transcript, words, heardBy, sharedRevision, correctedAt } = row;
  const { segments, gaps } = transcript;
  // The bytes of a file are gone.
  const retranscribable =
    transcript.reel.platform !== filePlatform &&
    recognizer &&
    heardBy &&
    sharedRevision !== undefined &&
    mayHearMore(recognizer, { revision: sharedRevision, heardBy });
  return {
    ...describeScript(row),
    segments: [...segments],
    gaps: [...gaps],
    ...(correctedAt !== null && { correctedAt: correctedAt.toISOString() }),
    ...(words && { words: [...words] }),
    ...(retranscribable && { retranscribable: true as const }),
    receipt: receiptOf(transcript),
  };
}

/** Describes how a transcript was produced, for callers. */
export function receiptOf(transcript: Transcript): Receipt {
  const language = supportedLanguage(transcript.language);
  return {
    model: transcript.model,
    ...(language !== undefined && { quality: qualityOf(transcript.model, language) }),
    revision: transcript.revision,
    languageProbability: transcript.languageProbability,
    speechSeconds: transcript.speechSeconds,
    audioSeconds: transcript.seconds,
    cut: transcript.truncated,
  };
}

export function describeShareLink({ id, token, createdAt, script }: ShareLink, baseUrl: string) {
  return {
    id,
    url: `${baseUrl}/s/${token}`,
    scriptId: script.id,
    ...(script.handle !== null && { account: script.handle }),
    beginning: beginningOf(script.beginning),
    language: script.language,
    createdAt,
  };
}
