import type { Language, RecognitionQuality } from "@reelscript/contract";
import { languages } from "@reelscript/contract/values";

type Qualities = readonly { readonly code: Language; readonly quality: RecognitionQuality }[];

/** What a person may say is spoken; `qualities` tells which languages the running model cannot read, once it is known. */
export function hintLanguages(qualities: Qualities): readonly { readonly value: string; readonly label: string }[] {
  const unread = new Set<string>(qualities.flatMap(({ code, quality }) => (quality === "unusable" ? [code] : [])));
  return [
    { value: "", label: "Detect language" },
    ...Object.entries(languages)
      .toSorted(([, left], [, right]) => left.localeCompare(right))
      .map(([value, name]) => ({ value, label: unread.has(value) ? `${name} (not supported by this model)` : name })),
  ];
}
