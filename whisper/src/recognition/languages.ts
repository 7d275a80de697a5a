/** The languages that are transcribed, as primary BCP-47 subtags. */
export const supportedLanguages = ["en", "es", "pt", "fr", "de", "it", "hi", "ta", "te", "ar", "id"] as const;

/** The one into which Whisper translates. */
export const translationLanguage = "en";

/** Written with 12 to 17 tokens a second: a window of 30 s does not fit into the decoder's 220 tokens. */
const denseLanguages: ReadonlySet<string> = new Set(["hi", "ta", "te"]);

/** Spoken alike; which of the two Whisper names says more about its training texts than about the speaker. */
const countedAsLanguage: ReadonlyMap<string, string> = new Map([
  ["ms", "id"],
  ["ur", "hi"],
]);

/** Languages that the small models confuse in a few seconds of speech. */
interface AlikeLanguages {
  readonly members: readonly string[];
  /** The supported one that is likeliest meant. */
  readonly meant: (probabilityOf: (language: string) => number) => string;
}

export const alikeWhenShort: readonly AlikeLanguages[] = [
  {
    members: ["ta", "te", "ml", "kn", "si"],
    meant: (probabilityOf) =>
      ["ta", "ml", "kn", "si"].every((other) => probabilityOf("te") > probabilityOf(other)) ? "te" : "ta",
  },
  { members: ["id", "jw"], meant: () => "id" },
];

const scriptByLanguage: ReadonlyMap<string, RegExp> = new Map([
  ["hi", /\p{Script=Devanagari}/u],
  ["ta", /\p{Script=Tamil}/u],
  ["te", /\p{Script=Telugu}/u],
  ["ar", /\p{Script=Arabic}/u],
]);
const latinScript = /\p{Script=Latin}/u;

export function isSupportedLanguage(language: string): boolean {
  return (supportedLanguages as readonly string[]).includes(language);
}

export function isDenseLanguage(language: string): boolean {
  return denseLanguages.has(language);
}

export function countedAs(language: string): string {
  return countedAsLanguage.get(language) ?? language;
}

/** Share of the letters of a text that belong to the script of a supported language, 0 to 1; 1 without letters. */
export function shareInScript(text: string, language: string): number {
  const letters = text.match(/\p{L}/gu) ?? [];
  const script = scriptByLanguage.get(language) ?? latinScript;
  return letters.length === 0 ? 1 : letters.filter((letter) => script.test(letter)).length / letters.length;
}
