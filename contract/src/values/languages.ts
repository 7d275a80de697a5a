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

/** How well a model reads a language, for people. */
export const recognitionQualities = {
  good: "few words wrong",
  fair: "some words wrong",
  poor: "many words wrong",
  unusable: "not transcribed; such reels are refused and free",
  unmeasured: "accuracy not measured for this model",
} as const;

export type RecognitionQuality = keyof typeof recognitionQualities;

/** Which languages the running model can't do, or does badly, before anything is spent on them; empty when it does all well. */
export function languageWarning(
  qualities: readonly { readonly code: Language; readonly quality: RecognitionQuality }[],
): string {
  const named = (wanted: RecognitionQuality): string =>
    qualities
      .filter(({ quality }) => quality === wanted)
      .map(({ code }) => languages[code])
      .join(", ");
  const [unusable, poor] = [named("unusable"), named("poor")];
  return [unusable && `Not transcribed: ${unusable}.`, poor && `Many words wrong: ${poor}.`].filter(Boolean).join(" ");
}
