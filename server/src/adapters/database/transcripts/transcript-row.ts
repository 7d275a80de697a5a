import { columnsOf, jsonOf, type Queryable, type RowOf, statement } from "../engine/statement.ts";
import type { NewTranscript, ReelDetails, Transcript, Gap, Segment } from "../../../ports.ts";
import { recognizerKey } from "../../../recognition/recognizer-of.ts";
import {
  isBoolean,
  isBytes,
  isListOf,
  isMoment,
  isNumber,
  isText,
  orNull,
  isObjectOf,
  isOneOf,
} from "../engine/columns.ts";
import { searchIndexOf } from "./search-index.ts";
import { packTimes, readSegments, writeWords } from "./transcript-times.ts";

/** Checks only the fields that the service needs of every reel; earlier releases stored fewer of the others. */
export const isReel = isObjectOf<ReelDetails>({
  platform: isText,
  url: isText,
  shortcode: isText,
  caption: orNull(isText),
  author: isObjectOf<ReelDetails["author"]>({ handle: orNull(isText) }),
});

export const isSegment = isObjectOf<Segment>({ start: isNumber, end: isNumber, text: isText });

export const isGap = isObjectOf<Gap>({
  start: isNumber,
  end: isNumber,
  reason: isOneOf("repetition", "wrongScript", "lowConfidence", "noText", "skipped"),
});

const transcriptRow = {
  reel: isReel,
  text: isText,
  segments: isListOf(isSegment),
  language: isText,
  languageProbability: orNull(isNumber),
  seconds: isNumber,
  speechSeconds: isNumber,
  truncated: isBoolean,
  model: isText,
  createdAt: isMoment,
  gaps: isListOf(isGap),
  revision: isNumber,
};

/** A row that a transcript was stored in; `readTimes` reads its times. */
export const storedTranscriptRow = { ...transcriptRow, times: orNull(isBytes) };

export function toTranscript(row: RowOf<typeof storedTranscriptRow>): Transcript {
  return { ...columnsOf(row, transcriptRow), segments: readSegments(row) };
}

export const transcriptColumns = <const Table extends string>(table: Table) =>
  `${table}.reel, ${table}.text, ${table}.segments, ${table}.language, ${table}.language_probability, ${table}.seconds, ${table}.speech_seconds, ${table}.truncated, ${table}.model, ${table}.created_at, ${table}.gaps, ${table}.revision, ${table}.times` as const;

/** Selects a script's column from the account's corrected copy `c`, or from the shared transcript `t`. */
const correctedOrShared = <const Column extends string>(column: Column) =>
  `case when c.script_number is null then t.${column} else c.${column} end as ${column}` as const;

/** A copy has separate columns for its times. */
const sharedTimes = "case when c.script_number is null then t.times end" as const;

const typicalViews = `(
  select (r.metrics ->> 'medianViews')::float8 from report as r
  where r.account_id = s.account_id and r.handle = lower(s.handle) order by r.created_at desc, r.number desc limit 1
) as typical_views` as const;

/** Tags in alphabetical order. Most scripts have none. */
const tags = `case when s.tags = 0 then '{}' else array(
  select tag.name from tag where tag.account_id = s.account_id and s.tags & (1 << tag.slot) <> 0 order by tag.folded
) end as tags` as const;

/** Columns that every way to read a script needs; each adds the text, segments, gaps and times in a form of its own. */
const commonColumns =
  `${typicalViews}, ${tags}, t.reel, ${correctedOrShared("language")}, ${correctedOrShared("language_probability")}, ${correctedOrShared("seconds")}, ${correctedOrShared("speech_seconds")}, ${correctedOrShared("truncated")}, ${correctedOrShared("model")}, ${correctedOrShared("created_at")}, ${correctedOrShared("revision")}, c.corrected_at` as const;

export const scriptColumns =
  `${commonColumns}, ${correctedOrShared("text")}, ${correctedOrShared("segments")}, ${correctedOrShared("gaps")}, ${sharedTimes} as times` as const;

/** Reads `scriptColumns`, with `s.id` and `s.added_at`. */
export const scriptRow = {
  id: isText,
  addedAt: isMoment,
  correctedAt: orNull(isMoment),
  typicalViews: orNull(isNumber),
  tags: isListOf(isText),
  ...storedTranscriptRow,
};

/** Characters of a text that a list reads of its beginning: one more than are shown, so that a cut is noticed. */
export const readCharacters = 10_001;
/** Characters of its end, in which a call to action is looked for. */
const endCharacters = 400;
/** Bytes of packed times that a list reads: more than a reel of three minutes takes. */
const listedTimesBytes = 6_000;
/** Bytes of JSON above which a list doesn't read segments. */
export const longestSegments = 12_000;

export const wholeText = "case when c.script_number is null then t.text else c.text end" as const;
export const segments = "(case when c.script_number is null then t.segments else c.segments end)" as const;

/**
 * Like `scriptColumns`, but of a bounded size, whatever was written into a correction: the beginning of the text and its end, and
 * times as far as a reel has them. `speech_length` is the length of the whole text, in characters.
 */
export const listedColumns =
  `${commonColumns}, left(${wholeText}, ${readCharacters}) as text, case when length(${wholeText}) > ${readCharacters} then right(${wholeText}, ${endCharacters}) end as ending, length(${wholeText}) as speech_length, case when octet_length(${segments}::text) > ${longestSegments} then '[]'::json else ${segments} end as segments, ${correctedOrShared("gaps")}, case when c.script_number is null then substring(t.times from 1 for ${listedTimesBytes}) end as times` as const;

/** Reads `listedColumns`. */
export const excerptRow = {
  ...scriptRow,
  /** The end of a text of which only the beginning was read. */
  ending: orNull(isText),
  speechLength: isNumber,
};

/** Segments by which the end of a script's opening is found: those of twelve words. */
const openingSegments = 12;
/** Bytes of packed times that hold so many of them. */
const openingBytes = 120;

/** The first segments of `t` or its corrected copy `c`, as `readBeginningOfTimes` reads them. */
export const openingTimes = `case when octet_length(${segments}::text) > ${longestSegments} then '[]'::json else (
    select coalesce(json_agg(segment order by nth), '[]'::json)
    from json_array_elements(${segments}) with ordinality as every_segment (segment, nth) where nth <= ${openingSegments}
  ) end as segments, case when c.script_number is null then substring(t.times from 1 for ${openingBytes}) end as times` as const;

/** Like `scriptColumns`, with the first segments only, because tables show no times. */
export const tabledColumns =
  `${commonColumns}, ${correctedOrShared("text")}, ${openingTimes}, '[]'::json as gaps` as const;

/** Like `scriptColumns`, with long JSON and bytes as text, because reading them takes time. */
export const unreadColumns =
  `${commonColumns}, ${correctedOrShared("text")}, ${segments}::text as segments, case when c.script_number is null then t.gaps else c.gaps end::text as gaps, encode(${sharedTimes}, 'base64') as times, t.heard_by, t.revision as shared_revision` as const;

/** The joins after `script as s` that `scriptColumns` need. */
export const ofScript =
  "join transcript as t on t.id = s.transcript_id left join script_correction as c on c.script_number = s.number" as const;

const findForm = statement("select exists (select from storage_form) as compact").reading({ compact: isBoolean });

/** The form in which transcripts are stored. It never changes back, and rows in the other form can still be read. */
export const readForm = (on: Queryable): Promise<{ readonly compact: boolean }> => findForm.onlyRow(on);

/** A transcript's speech as parameters of statements, in one of two forms: with `times`, or with `segments` and `words`. */
interface SpeechValues extends Pick<
  Transcript,
  "text" | "language" | "languageProbability" | "seconds" | "speechSeconds" | "truncated" | "model" | "revision"
> {
  /** JSON, as `gaps` is. */
  readonly segments: string;
  readonly gaps: string;
  /** Packed by `writeWords`. */
  readonly words: readonly number[] | null;
  readonly times: Uint8Array | null;
  /** One `recognizerKey`. */
  readonly heardBy: readonly string[];
}

export function speechValues(transcript: NewTranscript, { compact }: { readonly compact: boolean }): SpeechValues {
  const { text, segments, model, revision } = transcript;
  const words = writeWords(text, transcript.words ?? null);
  return {
    text,
    segments: jsonOf(compact ? [] : segments),
    gaps: jsonOf(transcript.gaps),
    words: compact ? null : words,
    times: compact ? packTimes(text, { segments, words }) : null,
    language: transcript.language,
    languageProbability: transcript.languageProbability,
    seconds: transcript.seconds,
    speechSeconds: transcript.speechSeconds,
    truncated: transcript.truncated,
    model,
    revision,
    heardBy: [transcript.heardBy ?? recognizerKey({ model, revision })],
  };
}

/** A search finds a transcript by its text, the reel's caption and handle, and its platform, language and length. */
export const indexOf = (
  { platform, caption, author: { handle, displayName } }: ReelDetails,
  { text, language, seconds }: Pick<Transcript, "text" | "language" | "seconds">,
): string => searchIndexOf({ caption, transcript: text, handle, displayName, platform, language, seconds });

export const spokenTextRow = { text: isText, language: isText, truncated: isBoolean, model: isText };
