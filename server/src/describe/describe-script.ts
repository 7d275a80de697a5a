import {
  cutText,
  engagementRate,
  filePlatform,
  longestSentence,
  roughQualities,
  supportedLanguage,
  type FullScript,
  type Receipt,
  type Script,
} from "@reelscript/contract";
import { beginningOf, countWords } from "@reelscript/contract/values";
import type { FoundScript, RecognizerVersion, ScriptRow, Segment, ShareLink, Transcript } from "../ports.ts";
import { isByOwnHead, mayHearMore, qualityOf } from "../recognition/recognizer-of.ts";

/** Shorter speech, in seconds, gives no meaningful pace. */
const shortestSpeech = 3;

/** A script with at least the first of its segments. */
interface SaidRow extends Omit<ScriptRow, "transcript" | "addedAt" | "correctedAt"> {
  readonly transcript: Omit<Transcript, "gaps">;
}

/** A script as its owner sees it; a transcript longer than `mostCharacters` is cut. */
export function describeScript(row: SaidRow, mostCharacters = Number.POSITIVE_INFINITY): Script {
  const { id, transcript } = row;
  const { reel, text, language, truncated, createdAt } = transcript;
  const excerpt = cutText(text, mostCharacters);
  const rate = engagementRate(reel);
  const analysis = analysisOf(row);
  const hook = openingOf(transcript);
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
    durationSeconds: transcript.seconds,
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

function analysisOf({ transcript, typicalViews, whole }: SaidRow): NonNullable<Script["analysis"]> {
  const { text, speechSeconds, reel } = transcript;
  const hook = hookOf(text);
  const callToAction = callToActionOf(whole === undefined ? text : `${text.slice(0, longestSentence)} ${whole.ending}`);
  // Only the beginning of a long text is read, and the rest is assumed to have as many words.
  const words = countWords(text) * (whole === undefined ? 1 : whole.length / text.length);
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
  // A file can't be transcribed again, because its bytes are deleted.
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

/** A call to action is looked for in the last sentences only. */
const lastSentences = 4;
const lastCharacters = 2 * longestSentence;

/** Words that call people to action, in the transcribed languages. */
const asks = [
  "follow (me|us|for|along|this|@)|save (this|it)|comments? (below|down|with|the word|if)|in the comments|(drop|leave) (me )?a comment|let me know|tell me (what|which|if|in)|link (is )?in|(share|send) (this|it)|tag (a|someone|your|me)|subscribe|dm me|(hit|smash) the|sign up|click (the|on)",
  "sígueme|síguenos|sigue (mi|la|esta|para)|guarda (este|esto|el)|guárdal[oa]|comenta|coméntame|comparte|compártelo|etiqueta a|suscríbete|(enlace|link) en|cuéntame|escríbeme|déjame|dale (a )?(like|me gusta)",
  "me segue|(segue|siga) (o|a|para|pra|nos|aqui)|salv[ae] (ess[ea]|est[ea]|o|isso|aí)|coment[ae]|compartilh[ae]|marc[ae] (um|uma|alguém|aquel[ae]|seu|sua)|inscreva-se|se inscreve|link na|me conta",
  "abonne-toi|abonnez-vous|suis-moi|suivez-(moi|nous)|enregistre (ce|cette|ça)|enregistrez|commente|commentez|partage (ce|cette|ça|avec)|partagez|lien (en|dans)|dis-moi|dites-(moi|nous)|en commentaires?|identifie",
  "folg(e|t)? (mir|uns)|speicher[et]? (dir|euch|das|es|dieses)|kommentier(e|t)?|teil[et] (das|es|dieses)|markier(e|t)?|abonnier(e|t)?|schreib(e|t)? (mir|uns|es|in)|in die kommentare|sag(t)? mir|link in",
  "seguimi|seguici|salva (questo|il)|salvalo|commenta|condividi|condividilo|tagga|iscriviti|fammi sapere|scrivimi|nei commenti|link in",
  "ikuti|simpan|komen|komentar|bagikan|bagiin|langganan|jangan lupa|kasih tahu|link di",
  "फॉलो|फ़ॉलो|सेव|कमेंट|शेयर|सब्सक्राइब|लाइक|टैग|बताइए|बताओ|बताएं",
  "ஃபாலோ|பாலோ|சேவ்|கமெண்ட்|ஷேர்|சப்ஸ்கிரைப்|லைக்|பகிருங்கள்|சொல்லுங்கள்|பின்தொடருங்கள்",
  "ఫాలో|సేవ్|కామెంట్|షేర్|సబ్స్క్రైబ్|లైక్|చెప్పండి",
  "تابعني|تابعوني|تابعونا|احفظ|احفظوا|علق|علقوا|اكتب|اكتبوا|شارك|شاركوا|اشترك|اشتركوا|لايك|منشن",
];
const ask = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(${asks.join("|")})(?![\\p{L}\\p{M}\\p{N}])`, "iu");

const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/** A title before a name, whose point ends no sentence. */
const title = /(?:^|[\s¡¿"'(])(?:Mr|Mrs|Ms|Dr|Dra|Prof|St|Sr|Sra|Srta|Sig|Mme|डॉ)\.\s*$/iu;

function* sentencesOf(text: string): Generator<string> {
  let sentence = "";
  for (const { segment } of sentences.segment(text)) {
    sentence += segment;
    if (title.test(segment)) continue;
    yield sentence;
    sentence = "";
  }
  if (sentence !== "") yield sentence;
}

/** The first spoken sentence; empty if there is no speech. */
export function hookOf(text: string): string {
  const { value = "" } = sentencesOf(cutText(text.trimStart(), 2 * longestSentence)).next();
  return shortened(value);
}

/** Words of an opening. */
const openingWords = 12;
/** Seconds of silence that end an opening, if at least so many words were said before it. */
const pause = 0.7;
const wordsBeforePause = 4;

/**
 * How the speech begins: the first sentence, until the first pause or the twelfth word; empty if there is no speech. The first
 * segments are enough.
 */
export function openingOf({ text, segments }: Pick<Transcript, "text" | "segments">): string {
  const sentence = hookOf(text);
  const beforePause = untilPause(text.trimStart(), segments);
  const opening = beforePause !== undefined && beforePause.length < sentence.length ? beforePause : sentence;
  const end = [...opening.matchAll(/\S+/gu)][openingWords];
  return end === undefined ? opening : `${opening.slice(0, end.index).trimEnd()}…`;
}

/** The text until the first pause behind a few words. */
function untilPause(text: string, segments: readonly Segment[]): string | undefined {
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const from = text.indexOf(segment.text, end);
    const next = segments[index + 1];
    if (from === -1 || next === undefined) return undefined;
    end = from + segment.text.length;
    const before = text.slice(0, end).trimEnd();
    if (next.start - segment.end >= pause && countWords(before) >= wordsBeforePause) return before;
  }
  return undefined;
}

/** The last sentence that asks for something, except the first one, which is the hook. */
export function callToActionOf(text: string): string | undefined {
  const ending = [...sentencesOf(text.trim().slice(-lastCharacters))];
  const sentence = ending
    .slice(1)
    .slice(-lastSentences)
    .findLast((one) => ask.test(one));
  return sentence && shortened(sentence);
}

function shortened(segment: string): string {
  const sentence = segment.trim();
  if (sentence.length <= longestSentence) return sentence;
  const cut = cutText(sentence, longestSentence - 1);
  const space = cut.lastIndexOf(" ");
  return `${space > longestSentence / 2 ? cut.slice(0, space) : cut}…`;
}
