import { languages } from "@reelscript/contract/values";

export const hintLanguages: readonly { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Detect language" },
  ...Object.entries(languages)
    .map(([value, label]) => ({ value, label }))
    .toSorted((left, right) => left.label.localeCompare(right.label)),
];
