interface PageLanguage {
  /** Empty when the letters do not tell, as Latin and Cyrillic ones. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
}

/** Scripts that one language is written in, or one by far most often among those who make reels. */
const languages: Readonly<Record<string, string>> = {
  Devanagari: "hi",
  Tamil: "ta",
  Telugu: "te",
  Arabic: "ar",
  Kannada: "kn",
  Malayalam: "ml",
  Bengali: "bn",
  Gujarati: "gu",
  Gurmukhi: "pa",
  Sinhala: "si",
  Thai: "th",
  Hebrew: "he",
  Greek: "el",
  Hangul: "ko",
  Hiragana: "ja",
  Katakana: "ja",
};
const scripts = Object.keys(languages).map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, "gu") }));
const rightToLeft = new Set(["ar", "he", "ur", "fa"]);

/** What the language of a text is by its letters, where they tell it. */
export function languageOf(text: string): PageLanguage {
  const counts = scripts.map(({ script, letter }) => ({ script, count: text.match(letter)?.length ?? 0 }));
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best));
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  // People mix English words into every language, and hardly any into English.
  const lang = most.count > letters * 0.3 ? refined(languages[most.script] ?? "", text) : "";
  return { lang, dir: rightToLeft.has(lang) ? "rtl" : "ltr" };
}

/** Urdu and Persian have letters that Arabic lacks. */
function refined(lang: string, text: string): string {
  if (lang !== "ar") return lang;
  if (/[ٹڈڑںے]/u.test(text)) return "ur";
  return /[پچژگ]/u.test(text) ? "fa" : "ar";
}
