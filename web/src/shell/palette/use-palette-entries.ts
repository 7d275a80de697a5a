import { useEffect, useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { shownWords } from "../../pages/library/snippet-place.ts";
import { useAllReports } from "../../pages/reports/compare/use-all-reports.ts";
import { reelLinksIn } from "../../pages/transcribe/reel-links.ts";
import { pageEntries } from "./page-entries.ts";
import type { PaletteEntry } from "./palette-entry.ts";

/** Typing continues while a search is under way; this pause begins one. */
const pauseMilliseconds = 220;
const mostScripts = 5;
const mostReports = 3;
const mostCharacters = 140;

/** What fits what was typed: a pasted reel first, then pages, reports and scripts of the library. */
export function usePaletteEntries(typed: string): {
  readonly entries: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const query = typed.trim();
  const { reels } = reelLinksIn(query);
  const settled = useSettled(query);
  const searches = settled !== "" && reels.length === 0;
  const found = useOperation(
    "searchMyScripts",
    { query: settled, sort: "date", limit: mostScripts },
    { enabled: searches && query === settled },
  );
  const { reports } = useAllReports({ enabled: searches });
  if (reels.length > 0)
    return {
      entries: [
        {
          id: "transcribe",
          label: reels.length === 1 ? "Transcribe this reel" : `Transcribe these ${reels.length} reels`,
          icon: "wave",
          to: "/transcribe",
          search: { urls: reels.join(" ") },
        },
      ],
      isSearching: false,
    };
  const pages = pageEntries(query);
  if (query === "") return { entries: pages, isSearching: false };
  const wanted = query.replace(/^@/, "").toLowerCase();
  const handles = new Map(reports?.toReversed().map(({ handle, id }) => [handle, id]));
  const accounts = [...handles]
    .filter(([handle]) => handle.includes(wanted))
    .slice(0, mostReports)
    .map(([handle, id]): PaletteEntry => ({
      id,
      label: `@${handle}`,
      hint: "Report",
      icon: "chart",
      to: `/reports/${id}`,
    }));
  const scripts = (searches && query === settled ? (found.data?.scripts ?? []) : []).map((script): PaletteEntry => {
    const words = shownWords(script).parts.map(({ text }) => text);
    return {
      id: script.id,
      label: shortened(words.join("")) || "No speech in this reel",
      hint: script.account === undefined ? undefined : `@${script.account}`,
      icon: "library",
      to: `/scripts/${script.id}`,
      search: { query: settled },
    };
  });
  const library: PaletteEntry = {
    id: "library-search",
    label: `Search the library for “${query}”`,
    icon: "search",
    to: "/library",
    search: { query },
  };
  return {
    // What arrives later comes behind: Enter does what it did when it was read.
    entries: [...pages, library, ...accounts, ...scripts],
    isSearching: query !== settled || (searches && found.isFetching),
  };
}

/** Ends at a word; a line of the palette shows no more. */
const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters).replace(/\s+\S*$/u, "")}…`;

function useSettled(value: string): string {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
