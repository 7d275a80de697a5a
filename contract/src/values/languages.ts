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
