import { nearestWord } from "@reelscript/contract/values";

/** A variable that looks like a setting but isn't. */
export interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly meant: string | undefined;
}

/** Prefixes of this service's variables; other programs have their own. */
const ours =
  /^(?:RATE_LIMIT|QUEUE_LIMIT|CALLS|OIDC|S3|STRIPE|WHISPER|OPERATOR|PLATFORM|STANDIN|YTDLP|OBJECT_STORAGE|METRICS)_/;
/** Short names resemble many others, and so do single words: PLATFORM is a variable of many programs. */
const shortestName = 8;
const shortestWord = 9;
const mostLetters = 2;

/** Finds variables that would silently have no effect. */
export const unknownSettings = (
  given: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): UnknownSetting[] =>
  Object.keys(given).flatMap((name) => {
    if (settings.includes(name) || !/^[A-Z][A-Z0-9_]*$/.test(name)) return [];
    const shortest = name.includes("_") ? shortestName : shortestWord;
    const meant = name.length < shortest ? undefined : nearestWord(name, settings, mostLetters);
    return meant !== undefined || ours.test(name) ? [{ name, meant }] : [];
  });
