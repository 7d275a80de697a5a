import type { AllOperations, AnyOperationName } from "@reelscript/contract";
import type * as z from "zod";
import type { ShareLimits } from "./byte-shares.ts";

const megabyte = 1_024 * 1_024;

/**
 * Bytes of large calls at a time. Two of the largest reports fit an account's share.
 */
export const shareLimits: ShareLimits = { ofOwner: 16 * megabyte, ofProcess: 128 * megabyte, waiting: 16 };

/** A script of 100,000 characters of three bytes, read and written. */
const wholeScript = 2 * 300_000;
/** A hit of a list or a search: 40 kB are read of it, and no more is written. */
const hit = 2 * 40_000;
/** Times of 10,000 segments, read and written, with their words if they are wanted. */
const timesOfSegments = 2 * megabyte;
const timesOfWords = 6 * megabyte;

/**
 * When a call's cost is known: `body` before its body is received, and `answer` from its input. A call has only one of them, so
 * none waits for bytes while it has some.
 */
type Cost<Input> = { readonly body: number } | { readonly answer: (input: Input) => number };

/**
 * The bytes that a call may read and write at a time, for every operation that may read more than half a megabyte. Operations that
 * aren't here are small and never wait. Exports read a page of a megabyte at a time, and `createExportLine` bounds them.
 */
export const costs: {
  readonly [Name in AnyOperationName]?: Cost<z.output<AllOperations[Name]["input"]>>;
} = {
  importReport: { body: 8 * megabyte },
  correctScript: { body: 2 * megabyte },
  searchMyScripts: {
    answer: ({ ids, url, limit }) => {
      if (ids !== undefined) return new Set(ids.split(",")).size * wholeScript;
      return url === undefined ? limit * hit : wholeScript;
    },
  },
  getScript: { answer: ({ words }) => wholeScript + timesOfSegments + (words ? timesOfWords : 0) },
  getScriptText: { answer: () => wholeScript },
  getScriptSubtitles: { answer: () => wholeScript + timesOfSegments + timesOfWords },
  getScriptCorrection: { answer: () => wholeScript + timesOfSegments + timesOfWords },
  getCompetitorReport: { answer: ({ from }) => (from === undefined ? megabyte : 10 * megabyte) },
};
