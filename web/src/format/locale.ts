/** English, as the whole interface is, with the digits, marks and order of days that are usual where the reader is. */
export const locale = englishOf(new Intl.NumberFormat().resolvedOptions().locale);

/** `englishOf("de-DE")`: en-DE */
export function englishOf(name: string): string {
  const { language, region } = new Intl.Locale(name).maximize();
  return language === "en" ? name : `en-${region ?? "US"}`;
}
