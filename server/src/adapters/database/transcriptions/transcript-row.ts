import { engagementRate } from "@reelscript/contract";
import type { NewTranscript, ReelDetails, Transcript } from "../../../ports.ts";
import { recognizerKey } from "../../../recognition/recognizer-key.ts";
import { tokenVersion } from "../../../search/search-tokens.ts";
import { isBoolean, isListOf, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { RowOf } from "../engine/statement.ts";
import { searchIndexOf } from "../library/search-index.ts";
import { isGap, isReel, isSegment } from "./reel-columns.ts";
import { writeWords } from "./word-times.ts";

export const transcriptRow = {
  reel: isReel,
  text: isText,
  segments: isListOf(isSegment),
  language: isText,
  language_probability: orNull(isNumber),
  seconds: isNumber,
  speech_seconds: isNumber,
  truncated: isBoolean,
  model: isText,
  created_at: isMoment,
  gaps: orNull(isListOf(isGap)),
  revision: orNull(isNumber),
};

export const transcriptColumns = <const Table extends string>(table: Table) =>
  `${table}.reel, ${table}.text, ${table}.segments, ${table}.language, ${table}.language_probability, ${table}.seconds, ${table}.speech_seconds, ${table}.truncated, ${table}.model, ${table}.created_at, ${table}.gaps, ${table}.revision` as const;

/** As a script `s` has it: the account's corrected copy `c`, or the shared transcript `t`. */
const own = <const Column extends string>(column: Column) =>
  `case when c.script_number is null then t.${column} else c.${column} end as ${column}` as const;

export const scriptColumns =
  `t.reel, ${own("text")}, ${own("segments")}, ${own("language")}, ${own("language_probability")}, ${own("seconds")}, ${own("speech_seconds")}, ${own("truncated")}, ${own("model")}, ${own("created_at")}, ${own("gaps")}, ${own("revision")}, c.corrected_at` as const;

export const ownWords = own("words");

/** What `scriptColumns` are read from, behind `script as s`. */
export const ofScript =
  "join transcript as t on t.id = s.transcript_id left join script_correction as c on c.script_number = s.number" as const;

export const toTranscript = (row: RowOf<typeof transcriptRow>): Transcript => ({
  reel: row.reel,
  text: row.text,
  segments: row.segments,
  language: row.language,
  languageProbability: row.language_probability,
  seconds: row.seconds,
  speechSeconds: row.speech_seconds,
  truncated: row.truncated,
  model: row.model,
  createdAt: row.created_at,
  gaps: row.gaps,
  revision: row.revision,
});

/** What a statement takes of a new transcript. */
export const transcriptValues = (transcript: NewTranscript) => ({
  reel: JSON.stringify(transcript.reel),
  ...speechValues(transcript),
  views: transcript.reel.views,
  engagementRate: engagementRate(transcript.reel),
  tokenVersion,
  tokens: indexOf(transcript.reel, transcript),
  handle: transcript.reel.author.handle,
});

/** What a statement takes of what was heard. */
export const speechValues = (transcript: NewTranscript) => ({
  text: transcript.text,
  segments: JSON.stringify(transcript.segments),
  language: transcript.language,
  languageProbability: transcript.languageProbability,
  seconds: transcript.seconds,
  speechSeconds: transcript.speechSeconds,
  truncated: transcript.truncated,
  model: transcript.model,
  createdAt: transcript.createdAt,
  gaps: transcript.gaps === null ? null : JSON.stringify(transcript.gaps),
  words: writeWords(transcript.text, transcript.words ?? null),
  revision: transcript.revision,
  heardBy: [transcript.heardBy ?? recognizerKey({ model: transcript.model, revision: transcript.revision ?? 0 })],
});

/** What finds a transcript: its text, what kind it is, and what is written about the reel. */
export const indexOf = (
  { caption, author: { handle } }: ReelDetails,
  { text, language, seconds }: Pick<Transcript, "text" | "language" | "seconds">,
): string => searchIndexOf({ caption, transcript: text, handle, language, seconds });
