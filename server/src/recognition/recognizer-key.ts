import type { RecognizerVersion } from "../ports.ts";

/** Names a recognizer: of the same key nobody needs to ask twice. */
export const recognizerKey = ({ model, revision }: RecognizerVersion): string => `${revision} ${model}`;

/** Names what a refusal is remembered for: a hint may have caused it, and binds only those who give the same one. */
export const refusalKey = (recognizer: RecognizerVersion, languageHint: string | null): string =>
  languageHint === null ? recognizerKey(recognizer) : `${recognizerKey(recognizer)} hint=${languageHint}`;

/** Whether a recognizer may hear more than what heard a reel before: it is no older, and has not heard the reel. */
export const mayHearMore = (
  recognizer: RecognizerVersion,
  { revision, heardBy }: { readonly revision: number | null; readonly heardBy: readonly string[] },
): boolean => (revision === null || revision <= recognizer.revision) && !heardBy.includes(recognizerKey(recognizer));
