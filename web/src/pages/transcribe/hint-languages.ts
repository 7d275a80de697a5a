import { languageName } from "../../format/language-name.ts";

type Language = keyof typeof import("@reelscript/contract").languages;

/** Checked against the contract: a language more or less does not compile. */
const codes = {
  ar: true,
  de: true,
  en: true,
  es: true,
  fr: true,
  hi: true,
  id: true,
  it: true,
  pt: true,
  ta: true,
  te: true,
} satisfies Record<Language, true>;

export const hintLanguages: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Detect language" },
  ...Object.keys(codes)
    .map((value) => ({ value, label: languageName(value) }))
    .toSorted((left, right) => left.label.localeCompare(right.label)),
];
