import { engagementRate } from "@reelscript/contract";
import type { ReelDetails, Segment, Transcript } from "../../ports.ts";
import { searchIndexOf } from "./search-index.ts";
import { tokenVersion } from "../../search-tokens.ts";
import { storable } from "./storable.ts";

export interface TranscriptRow {
  reel: ReelDetails;
  text: string;
  segments: Segment[];
  language: string;
  language_probability: number | null;
  seconds: number;
  speech_seconds: number;
  truncated: boolean;
  model: string;
  created_at: Date;
}

export const transcriptColumns = (table: string): string =>
  [
    "reel",
    "text",
    "segments",
    "language",
    "language_probability",
    "seconds",
    "speech_seconds",
    "truncated",
    "model",
    "created_at",
  ]
    .map((column) => `${table}.${column}`)
    .join(", ");

export const toTranscript = (row: TranscriptRow): Transcript => ({
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
});

/** The columns of a new transcript, in the order in which `complete-transcription` takes them. */
export const transcriptValues = (transcript: Transcript): unknown[] => [
  JSON.stringify(transcript.reel),
  storable(transcript.text),
  JSON.stringify(transcript.segments),
  storable(transcript.language),
  transcript.languageProbability,
  transcript.seconds,
  transcript.speechSeconds,
  transcript.truncated,
  storable(transcript.model),
  transcript.createdAt,
  transcript.reel.views,
  engagementRate(transcript.reel),
  tokenVersion,
  searchIndexOf({
    caption: transcript.reel.caption,
    transcript: transcript.text,
    handle: transcript.reel.author.handle,
  }),
  transcript.reel.author.handle === null ? null : storable(transcript.reel.author.handle),
];
