/** The spoken languages that are transcribed, by primary BCP-47 subtag. */
export const languages = {
  en: "English",
  es: "Spanish",
  pt: "Portuguese",
  fr: "French",
  de: "German",
  it: "Italian",
  hi: "Hindi",
  ta: "Tamil",
  te: "Telugu",
  ar: "Arabic",
  id: "Indonesian",
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

/** The primary subtag of a BCP-47 code, if it is one of the supported languages. */
export function supportedLanguage(code: string): Language | undefined {
  const primary = code.split("-", 1)[0]?.toLowerCase() ?? "";
  return Object.hasOwn(languages, primary) ? (primary as Language) : undefined;
}

/**
 * Languages that the embedded model translates to English well enough to be of use, and the only ones in which it is offered
 * (docs/decisions/recognition.md).
 */
export const translatedLanguages = ["es", "fr"] as const satisfies readonly Language[];

/** Begins every file with a translation, where players and readers see it. */
export const translationMark = "[Machine translation]";

/** How well a model recognizes a language, for people. */
export const recognitionQualities = {
  good: "few words wrong",
  fair: "some words wrong",
  poor: "many words wrong; a rough draft",
  unreliable: "most words wrong; refused and free unless you name the language, then a rough draft",
  unusable: "not transcribed; such reels are refused and free",
  unmeasured: "accuracy unknown; too few recordings measured",
} as const;

export type RecognitionQuality = keyof typeof recognitionQualities;

/** Transcripts of such a quality are rough drafts. */
export const roughQualities: ReadonlySet<RecognitionQuality> = new Set(["poor", "unreliable", "unusable"]);

const numberWords = [
  "no",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** English, Spanish and five more. Hindi is a rough draft. */
export function languageLine(qualities: Readonly<Partial<Record<Language, RecognitionQuality>>>): string {
  const namesOf = (...someQualities: readonly RecognitionQuality[]): string[] =>
    languageCodes.flatMap((code) => {
      const quality = qualities[code];
      return quality !== undefined && someQualities.includes(quality) ? [languages[code]] : [];
    });
  const list = (names: readonly string[]): string =>
    names.length <= 3
      ? new Intl.ListFormat("en", { type: "conjunction" }).format(names)
      : `${names.slice(0, 2).join(", ")} and ${numberWords[names.length - 2] ?? names.length - 2} more`;
  const clear = namesOf("good", "fair", "unmeasured");
  const rough = namesOf("poor");
  return [
    ...(clear.length === 0 ? [] : [`${list(clear)}.`]),
    ...(rough.length === 0 ? [] : [`${list(rough)} ${rough.length === 1 ? "is a rough draft" : "are rough drafts"}.`]),
  ].join(" ");
}

/**
 * Says in one sentence which languages the running models transcribe, which only as drafts and which not, and what to do then,
 * before anybody spends something on a reel.
 */
export function languageSentence(qualities: Readonly<Partial<Record<Language, RecognitionQuality>>>): string {
  const list = new Intl.ListFormat("en", { type: "conjunction" });
  const namesIn = (...levels: readonly RecognitionQuality[]): string =>
    list.format(
      languageCodes.flatMap((code) => {
        const quality = qualities[code];
        return quality !== undefined && levels.includes(quality) ? [languages[code]] : [];
      }),
    );
  const parts = (
    [
      [namesIn("good", "fair", "unmeasured"), (names: string) => `transcribes ${names}`],
      [namesIn("poor"), (names: string) => `writes only rough drafts of ${names}`],
      [
        namesIn("unreliable"),
        (names: string) => `refuses ${names} unless you name the language, and then writes a rough draft`,
      ],
      [namesIn("unusable"), (names: string) => `refuses ${names}`],
    ] as const
  ).flatMap(([names, part]) => (names === "" ? [] : [part(names)]));
  const helps =
    namesIn("unreliable", "unusable") === ""
      ? ""
      : "; refusals are free, and another model or an endpoint may read more";
  return `Reelscript ${parts.join("; ")}${helps}.`;
}

/** Ends the refusal of a language that is drafted where a caller names it; `draftOffer` reads it. */
export const draftHint = (language: Language): string =>
  `Name the language (${language}) as a hint to get a rough draft.`;

const draftHintShape = / ?Name the language \(([a-z]{2})\) as a hint to get a rough draft\./;

/** A refusal without the words for programs, and the language in which a draft can be requested instead. */
export function draftOffer(message: string): { readonly text: string; readonly language: Language | undefined } {
  const [sentence, code] = draftHintShape.exec(message) ?? [];
  const language = code === undefined ? undefined : supportedLanguage(code);
  return language === undefined || sentence === undefined
    ? { text: message, language: undefined }
    : { text: message.replace(sentence, ""), language };
}
