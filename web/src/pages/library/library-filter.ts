import type { ScriptLength } from "@reelscript/contract";
import type { LibrarySearch } from "../../router/page-search.ts";
import { languageName } from "../../format/language-name.ts";

/** What a list of scripts is narrowed to, beside the words searched for. */
export type LibraryFilter = Pick<LibrarySearch, "account" | "language" | "length">;

export const lengthLabels: Readonly<Record<ScriptLength, string>> = {
  under30s: "Under 30 s",
  "30to60s": "30 to 60 s",
  "1to3min": "1 to 3 min",
  over3min: "Over 3 min",
};

export const isNarrowed = ({ account, language, length }: LibraryFilter): boolean =>
  account !== undefined || language !== undefined || length !== undefined;

/** " in Tamil, 30 to 60 s"; nothing without language and length. */
export function kindWords({ language, length }: LibraryFilter): string {
  const inLanguage =
    language === undefined ? "" : language === "und" ? " without speech" : ` in ${languageName(language)}`;
  return inLanguage + (length === undefined ? "" : `, ${lengthLabels[length].toLowerCase()}`);
}
