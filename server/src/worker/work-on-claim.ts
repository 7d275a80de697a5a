import path from "node:path";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { filePlatform, ServiceError } from "@reelscript/contract";
import { correctionLimits, cutText } from "@reelscript/contract/values";
import type {
  AwaitedDependency,
  Claim,
  NewTranscript,
  NumberedPassage,
  Passage,
  ReelDetails,
  Transcriber,
  Translation,
} from "../ports.ts";
import { RecognizerAway, RecognizerSilent, SpeechNotRecognized } from "../recognition/recognition-errors.ts";
import { longestSound } from "../recognition/file-content.ts";
import { recognizerKey } from "../recognition/recognizer-of.ts";
import { fetchReel, takeSentMedia } from "./fetch-reel.ts";
import { takeFile } from "./files/take-file.ts";
import { settleFailure } from "./settle-failure.ts";
import type { WorkOnClaimNeeds } from "./worker-needs.ts";

export const leaseSeconds = 30;
const heartbeatMilliseconds = 1_000;
/** New words renew the lease sooner than the heartbeat does. */
const wordsMilliseconds = 250;
/** Share of the progress that fetching takes; the transcriber reports the rest. */
const shareOfFetching = 0.05;

/** The recognizer hangs, so another worker should take the reel that waits for it. */
export class Stranded extends Error {
  override readonly name = "Stranded";
}

/** Works on one transcription until it ends, or gives it back on `stopping` or if this machine can't do it. */
export async function workOnClaim(needs: WorkOnClaimNeeds, claim: Claim, stopping: AbortSignal): Promise<void> {
  const { store, clock, health, onFault } = needs;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const stored = (write: () => Promise<boolean>): Promise<boolean> => untilStored(write, signal);
  const interim = createUnsentPassages();
  const state = { progress: 0, isWaiting: false };
  const heartbeat = startHeartbeat(needs, claim, state, interim, () => lost.abort());
  const fetched = needs.fetchedReels.take(claim);
  let directory = fetched?.directory;
  let details = fetched?.details;
  let isKept = false;
  const begunAt = clock.now();
  try {
    directory ??= await makeDirectory(needs.workDirectory);
    details ??= await fetchMedia(needs, claim, {
      file: path.join(directory, mediaFile),
      signal,
      onWait: (does) => (state.isWaiting = does),
    });
    const onProgress = (done: number): void => {
      state.progress = done;
      needs.onProgress?.();
    };
    if (claim.translates) {
      const translation = await translate(needs, claim, path.join(directory, mediaFile), signal, onProgress);
      await stored(() => store.translations.complete(claim, translation, clock.now()));
      health.succeeded();
      return;
    }
    const speech = await hear(needs, claim, path.join(directory, mediaFile), signal, {
      onProgress,
      // In two cases nothing is shown before the end. In a retranscription, everybody keeps the old transcript until the new
      // one has been judged. Media that a caller sent could be made so that the interesting part is shown and the whole is
      // refused, which is free.
      // The details beside sent media are a caller's words.
      spellings: claim.hasSentMedia ? [] : reelSpellings(details),
      ...(!claim.retranscribes && !claim.hasSentMedia && { onPassage: interim.add, onDraft: interim.draft }),
    });
    const now = clock.now();
    const transcript: NewTranscript = {
      reel: details,
      createdAt: now,
      text: speech.text,
      segments: speech.segments,
      words: speech.words,
      gaps: speech.gaps,
      language: speech.language,
      languageProbability: speech.languageProbability,
      seconds: speech.seconds,
      speechSeconds: speech.speechSeconds,
      truncated: speech.truncated,
      model: speech.model,
      revision: speech.revision,
      hintDecided: speech.hintDecided,
      heardBy: recognizerKey(needs.transcriber),
    };
    const charge = speech.text !== "" && (claim.reel.url === needs.sampleReelUrl ? "keys" : true);
    const isTranslatable = translates(needs.transcriber, speech.language);
    const fetchedReel = { directory, details };
    const onTranslation = (transcriptionId: string): void => {
      // The translation needs the same media.
      needs.fetchedReels.keep({ ...claim, transcriptionId }, fetchedReel);
      directory = undefined;
    };
    await stored(() =>
      store.transcriptions.complete(claim, transcript, charge, now, { isTranslatable, onTranslation }),
    );
    health.succeeded();
  } catch (error) {
    if (lost.signal.aborted) return;
    isKept = details !== undefined && saysNothingOfMedia(stopping.aborted ? stopping.reason : error);
    if (stopping.aborted) await store.transcriptions.release(claim, false);
    else await settleFailure(needs, claim, error, { begunAt, signal, untilStored: stored });
  } finally {
    clearInterval(heartbeat);
    if (isKept && directory !== undefined && details !== undefined)
      needs.fetchedReels.keep(claim, { directory, details });
    else if (directory !== undefined)
      await rm(directory, { recursive: true, force: true }).catch((error: unknown) => onFault(error, claim));
  }
}

/** The recognizer failed, so the media can be used again. */
const saysNothingOfMedia = (error: unknown): boolean =>
  error instanceof Stranded || error instanceof RecognizerSilent || error instanceof RecognizerAway;

const mediaFile = "media";

/** Creates the parent folder again, in case somebody removed it. */
async function makeDirectory(workDirectory: string): Promise<string> {
  await mkdir(workDirectory, { recursive: true, mode: 0o700 });
  return mkdtemp(path.join(workDirectory, "reel-"));
}

/** Writes the media into the file, and notes whether the reel's platform answered. */
async function fetchMedia(
  needs: WorkOnClaimNeeds,
  claim: Claim,
  {
    file,
    signal,
    onWait,
  }: { readonly file: string; readonly signal: AbortSignal; readonly onWait: (isWaiting: boolean) => void },
): Promise<ReelDetails> {
  const { store, source, platform, transcriber, outages } = needs;
  transcriber.prepare?.();
  const isFile = claim.reel.platform === filePlatform;
  if (claim.hasSentMedia || isFile) {
    const details = await (isFile ? takeFile(needs, claim, file, signal) : takeSentMedia(store, claim, file, signal));
    noteAnswer(needs, "storage");
    return details;
  }
  const { platform: name } = claim.reel;
  outages.begin(name);
  try {
    const details = await fetchReel({ source, platform, onWait }, claim, file, signal);
    outages.answered({ kind: "platform", name });
    outages.fetched(claim.reel);
    noteAnswer(needs, "platform", name);
    return details;
  } catch (error) {
    const isBusy = error instanceof ServiceError && error.reason === "platformBusy";
    if (error instanceof ServiceError && !isBusy) {
      outages.answered({ kind: "platform", name });
      noteAnswer(needs, "platform", name);
    }
    throw error;
  } finally {
    outages.end(name);
  }
}

/** Others needn't wait for it any more. If this gets lost, they learn it a minute later. */
function noteAnswer(
  { store }: Pick<WorkOnClaimNeeds, "store">,
  dependency: AwaitedDependency,
  platform?: string,
): void {
  store.transcriptions.noteAnswer(dependency, platform).catch(() => undefined);
}

async function hear(
  needs: WorkOnClaimNeeds,
  claim: Claim,
  file: string,
  signal: AbortSignal,
  {
    onProgress,
    ...options
  }: Pick<Parameters<Transcriber["transcribe"]>[1], "onProgress" | "onPassage" | "onDraft" | "spellings">,
) {
  const { transcriber, outages, onProgress: onWork } = needs;
  onProgress(shareOfFetching);
  const isFile = claim.reel.platform === filePlatform;
  const speech = await transcriber.transcribe(file, {
    ...options,
    language: claim.languageHint,
    ...(isFile && { maxSeconds: longestSound(needs.maxFileSeconds) }),
    signal,
    onProgress: (done) => onProgress(shareOfFetching + done * (1 - shareOfFetching)),
    onWork,
  });
  noteAnswer(needs, "recognizer");
  outages.answered({ kind: "recognizer" });
  outages.answered({ kind: "recognizer", name: speech.language });
  // Somebody speaks, but no word was recognized. A reel without speech has no gaps.
  if (speech.text === "" && speech.gaps.length > 0) throw new SpeechNotRecognized(speech.language, speech.model);
  return withinLongest(speech);
}

const translates = ({ translator }: Transcriber, language: string): boolean =>
  translator?.languages.some((one) => one === language) ?? false;

/** Without a text if most of the speech couldn't be translated, so that it isn't tried again by the same recognizer. */
async function translate(
  { transcriber, outages, maxFileSeconds, onProgress: onWork, ...needs }: WorkOnClaimNeeds,
  { reel, languageHint }: Claim,
  file: string,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Translation> {
  const { translator } = transcriber;
  if (translator === undefined || languageHint === null)
    throw new ServiceError("invalidRequest", "The running model doesn't translate.", { reason: "notTranslated" });
  onProgress(shareOfFetching);
  try {
    const translation = await translator.translate(file, {
      language: languageHint,
      ...(reel.platform === filePlatform && { maxSeconds: longestSound(maxFileSeconds) }),
      signal,
      onProgress: (done) => onProgress(shareOfFetching + done * (1 - shareOfFetching)),
      onWork,
    });
    noteAnswer(needs, "recognizer");
    outages.answered({ kind: "recognizer" });
    const { text, segments } = withinLongest({ ...translation, words: null, truncated: false });
    return { ...translation, text, segments };
  } catch (error) {
    if (!(error instanceof SpeechNotRecognized)) throw error;
    const { model, revision } = transcriber;
    return { text: "", segments: [], gaps: [], model, revision };
  }
}

/**
 * Renews the lease while the transcription is running, even while the database is down. The same statement writes newly
 * recognized words, so that they cost no extra one.
 */
function startHeartbeat(
  { store, clock, renewals }: WorkOnClaimNeeds,
  claim: Claim,
  state: { readonly progress: number; readonly isWaiting: boolean },
  interim: ReturnType<typeof createUnsentPassages>,
  onLost: () => void,
): NodeJS.Timeout {
  let beating = false;
  let last = performance.now();
  return setInterval(() => {
    const passages = interim.unsent();
    if (beating || (passages.length === 0 && performance.now() - last < heartbeatMilliseconds)) return;
    beating = true;
    last = performance.now();
    store.transcriptions
      .extend(claim, state.progress, leaseSeconds, clock.now(), passages, state.isWaiting ? "platform" : undefined)
      .then((held) => {
        renewals.succeeded();
        interim.sent(passages);
        if (!held) onLost();
      })
      .catch((error: unknown) => renewals.failed(error, claim))
      .finally(() => (beating = false));
  }, wordsMilliseconds);
}

const noDraft: NumberedPassage = { number: 0, language: "und", text: "" };

/** Recognized passages that are not sent yet, in order. If sending fails, they keep their numbers. */
function createUnsentPassages() {
  let waiting: readonly NumberedPassage[] = [];
  let last = 0;
  let draft = noDraft;
  let sentDraft = noDraft;
  return {
    add: ({ language, text }: Passage): void => {
      waiting = [...waiting, { number: (last += 1), language, text }];
      draft = noDraft;
    },
    /** Replaces the last draft, as a passage does; `undefined` if there is no text after all. */
    draft: (written: Passage | undefined) => void (draft = written ? { number: 0, ...written } : noDraft),
    unsent: (): readonly NumberedPassage[] => (draft === sentDraft ? waiting : [...waiting, draft]),
    sent(passages: readonly NumberedPassage[]): void {
      waiting = waiting.filter((passage) => !passages.includes(passage));
      sentDraft = passages.find(({ number }) => number === 0) ?? sentDraft;
    },
  };
}

/** Pauses between tries to store an outcome. */
const firstPause = 250;
const longestPause = 5_000;
/** After this long, another worker has claimed it. */
const longestStoring = 10 * 60 * 1_000;

/**
 * Stores the outcome of work on a claim, with retries while the database is down. Throws errors that a retry can't fix, and the
 * last error on `givenUp` or after ten minutes.
 */
export async function untilStored(write: () => Promise<boolean>, givenUp: AbortSignal): Promise<boolean> {
  const until = performance.now() + longestStoring;
  for (let wait = firstPause; ; wait = Math.min(longestPause, wait * 2))
    try {
      return await write();
    } catch (error) {
      const away = error instanceof ServiceError && error.code === "unavailable";
      if (!away || givenUp.aborted || performance.now() >= until) throw error;
      await pause(wait, givenUp);
    }
}

/** Resolves early when the signal aborts, without an error. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

const longestText = correctionLimits.characters;

type Said = Pick<NewTranscript, "text" | "segments" | "words" | "truncated">;

/**
 * Cuts a transcript to the maximum length of a corrected script. Nobody says more in a reel, and all work on a text grows with
 * its length.
 */
function withinLongest<Speech extends Said>(speech: Speech): Speech {
  if (speech.text.length <= longestText) return speech;
  const segments: Said["segments"][number][] = [];
  let left = longestText;
  for (const segment of speech.segments) {
    const text = beginningOf(segment.text, left);
    if (text === "") break;
    segments.push({ ...segment, text });
    left -= segment.text.length + 1;
  }
  return { ...speech, text: beginningOf(speech.text, longestText), segments, words: null, truncated: true };
}

const beginningOf = (text: string, length: number): string => cutText(text, Math.max(0, length)).trimEnd();

/** The recognizer leaves out everyday words and takes the first 40 that are left. */
const mostWords = 200;
const readCharacters = 4_000;
const wordPattern = /[\p{L}\p{M}]{3,40}/gu;
const addressPattern = /(?:https?:\/\/|www\.)\S+/giu;
const tagPattern = /[#@＃][\p{L}\p{M}\p{N}_.]+/gu;

/**
 * Words that the reel's account and caption spell, the account's names first, then tags and mentions, capitalized words, and all
 * others. They are the reel's own, so that a transcript is the same whoever asked for it.
 */
export function reelSpellings({
  caption,
  author: { handle, displayName },
}: Pick<ReelDetails, "caption" | "author">): string[] {
  const text = (caption ?? "").slice(0, readCharacters).normalize("NFC").replaceAll(addressPattern, " ");
  const tags = text.match(tagPattern) ?? [];
  const words = wordsOf(text);
  const isCapitalized = (word: string): boolean => /^\p{Lu}/u.test(word);
  return [
    ...new Set([
      ...wordsOf(displayName ?? ""),
      ...partsOf(handle ?? ""),
      ...tags.flatMap(partsOf),
      ...words.filter(isCapitalized),
      ...words.filter((word) => !isCapitalized(word)),
    ]),
  ].slice(0, mostWords);
}

const wordsOf = (text: string): readonly string[] => text.match(wordPattern) ?? [];

/** The words of a tag or a handle, which are written together: "#GordonRamsay" is two, each as a name begins. */
const partsOf = (tag: string): readonly string[] =>
  wordsOf(tag.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")).map(
    (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`,
  );
