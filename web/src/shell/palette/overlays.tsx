import { cutText } from "@reelscript/contract/values";
import { paletteKeys, type Overlay } from "./use-palette.ts";
import { Dialog } from "../../components/dialog.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type KeyboardEvent } from "react";
import { Icon, type IconName } from "../../components/icon.tsx";
import { useOperation } from "../../api/use-operation.ts";
import { pauseMilliseconds, useRested } from "../../components/search-field.tsx";
import { shownWords, type ShownWords } from "../../components/shown-words.ts";
import { useAllReports } from "../../pages/reports/compare/key-figures.ts";
import { reelLinksIn } from "../../pages/transcribe/reel-links.ts";
import { leave } from "../../components/sign-out.ts";
import { chooseTheme } from "../../components/theme.tsx";

const shortcuts: readonly { readonly keys: readonly string[]; readonly what: string }[] = [
  { keys: paletteKeys, what: "Search, or go to a page" },
  { keys: ["/"], what: "Search on this page" },
  { keys: ["↓", "↑"], what: "Move between results" },
  { keys: ["Enter"], what: "Transcribe the pasted links" },
  { keys: ["Shift", "Enter"], what: "New line" },
  { keys: [paletteKeys[0], "Z"], what: "Undo a bio page change" },
  { keys: [paletteKeys[0], "Shift", "Z"], what: "Redo a bio page change" },
  { keys: ["?"], what: "This list" },
];

function Shortcuts({ onClose }: ClosingProps) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <table className="shortcuts">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What they do</th>
          </tr>
        </thead>
        <tbody>
          {shortcuts.map(({ keys, what }) => (
            <tr key={what}>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

interface ClosingProps {
  readonly onClose: () => void;
}

interface Props extends ClosingProps {
  readonly overlay: Overlay;
}

/** Dialogs over the page. Not part of the initial load. */
export const Overlays = ({ overlay, onClose }: Props) =>
  overlay === "shortcuts" ? (
    <Shortcuts onClose={onClose} />
  ) : (
    <Dialog onClose={onClose} title={<span className="visually-hidden">Search or go to</span>}>
      <Palette onClose={onClose} />
    </Dialog>
  );

function Palette({ onClose }: ClosingProps) {
  const id = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState<string>();
  const { entries, isSearching } = usePaletteEntries(typed);
  const activeIndex = Math.max(
    0,
    entries.findIndex((entry) => entry.id === active),
  );
  const follow = ({ to, search, run }: PaletteEntry): void => {
    onClose();
    run?.();
    if (to !== undefined) void navigate({ to, search: search ?? {} });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const entry = entries[activeIndex];
    if (step !== 0) {
      event.preventDefault();
      const next = entries[(activeIndex + step + entries.length) % Math.max(1, entries.length)];
      setActive(next?.id);
      document.querySelector(`#${CSS.escape(`${id}-${next?.id}`)}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && entry !== undefined) {
      event.preventDefault();
      follow(entry);
    }
  };
  return (
    <div className="palette stack tight">
      <div className="search">
        <Icon name="search" />
        <input
          className="input"
          role="combobox"
          aria-label="Search or go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries[activeIndex] && `${id}-${entries[activeIndex].id}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          dir="auto"
          placeholder="A page, words in your library, a reel link"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type in it
          autoFocus
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setActive(undefined);
          }}
          onKeyDown={onKey}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label="Results" aria-busy={isSearching}>
        {entries.map((entry, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
          <div
            key={entry.id}
            id={`${id}-${entry.id}`}
            role="option"
            aria-selected={index === activeIndex}
            onPointerMove={() => setActive(entry.id)}
            onClick={() => follow(entry)}
          >
            <EntryLine {...entry} />
          </div>
        ))}
      </div>
    </div>
  );
}

function EntryLine({ icon, label, parts, hint }: PaletteEntry) {
  return (
    <>
      <Icon name={icon} />
      <span className="one-line grow" dir="auto">
        {parts?.some(({ hit }) => hit)
          ? parts.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))
          : label}
      </span>
      {hint && (
        <span className="meta one-line">
          <bdi>{hint}</bdi>
        </span>
      )}
    </>
  );
}

const pages: readonly (Omit<PaletteEntry, "id"> & { readonly alsoCalled?: string })[] = [
  { label: "Library", icon: "library", to: "/library", alsoCalled: "scripts transcripts search" },
  { label: "Transcribe", icon: "wave", to: "/transcribe", alsoCalled: "new reel paste link" },
  { label: "Reports", icon: "chart", to: "/reports", alsoCalled: "competitors accounts" },
  { label: "Compare accounts", icon: "chart", to: "/reports/compare", alsoCalled: "reports competitors" },
  { label: "Bio page", icon: "page", to: "/bio", alsoCalled: "links profile" },
  { label: "Bio page theme", icon: "page", to: "/bio", search: { tab: "look" }, alsoCalled: "theme design" },
  { label: "Analytics", icon: "trend", to: "/analytics", alsoCalled: "views clicks visits" },
  { label: "Guides", icon: "book", to: "/guides", alsoCalled: "help how to" },
  { label: "Usage and plan", icon: "gauge", to: "/usage", alsoCalled: "quota billing payment upgrade" },
  { label: "API keys", icon: "key", to: "/settings/keys", alsoCalled: "token mcp rest" },
  { label: "Webhooks", icon: "forward", to: "/settings/webhooks", alsoCalled: "endpoints events notifications" },
  { label: "Shared links", icon: "open", to: "/settings/shared", alsoCalled: "links share public" },
  { label: "Sessions", icon: "lock", to: "/settings/sessions", alsoCalled: "devices extension sign out" },
  { label: "New key", icon: "plus", to: "/settings/keys", search: { new: "key" }, alsoCalled: "create api token" },
  { label: "Publish bio page", icon: "page", to: "/bio", search: { publish: "now" }, alsoCalled: "links changes live" },
  { label: "Light theme", icon: "eye", run: () => chooseTheme("light"), alsoCalled: "appearance mode day" },
  { label: "Dark theme", icon: "eye", run: () => chooseTheme("dark"), alsoCalled: "appearance mode night" },
  { label: "System theme", icon: "eye", run: () => chooseTheme("system"), alsoCalled: "appearance mode" },
  { label: "Sign out", icon: "signOut", run: () => leave(), alsoCalled: "log out leave" },
  { label: "Account", icon: "person", to: "/settings/account", alsoCalled: "settings export delete" },
];

function pageEntries(typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return pages
    .filter(({ label, alsoCalled = "" }) => {
      const names = `${label} ${alsoCalled}`.toLowerCase();
      return words.every((word) => names.includes(word));
    })
    .map(({ alsoCalled: _alsoCalled, ...entry }) => ({ ...entry, id: `page-${entry.label.replaceAll(" ", "-")}` }));
}

const mostScripts = 5;
const mostReports = 3;
const mostCharacters = 140;

function usePaletteEntries(typed: string): {
  readonly entries: readonly PaletteEntry[];
  readonly isSearching: boolean;
} {
  const query = typed.trim();
  const { reels } = reelLinksIn(query);
  const restedQuery = useRested(query, "", query === "" ? 0 : pauseMilliseconds);
  const searches = restedQuery !== "" && reels.length === 0;
  const searchResult = useOperation(
    "searchMyScripts",
    { query: restedQuery, sort: "date", limit: mostScripts },
    { enabled: searches && query === restedQuery },
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
  const handlePart = query.replace(/^@/, "").toLowerCase();
  const handles = new Map(reports?.toReversed().map(({ handle, id }) => [handle, id]));
  const accounts = [...handles]
    .filter(([handle]) => handle.includes(handlePart))
    .slice(0, mostReports)
    .map(([handle, id]): PaletteEntry => ({
      id,
      label: `@${handle}`,
      hint: "Report",
      icon: "chart",
      to: `/reports/${id}`,
    }));
  const searched = searchResult.data?.instead ?? restedQuery;
  const scripts = (searches && query === restedQuery ? (searchResult.data?.scripts ?? []) : []).map(
    (script): PaletteEntry => {
      const { parts } = shownWords(script);
      return {
        id: script.id,
        label: shortened(parts.map(({ text }) => text).join("")) || "No speech in this reel",
        parts,
        hint: script.account === undefined ? undefined : `@${script.account}`,
        icon: "library",
        to: `/scripts/${script.id}`,
        search: { query: searched },
      };
    },
  );
  const similar: readonly PaletteEntry[] =
    scripts.length > 0 && searchResult.data?.instead !== undefined
      ? [
          {
            id: "similar-search",
            label: `Did you mean ${searchResult.data.instead}?`,
            icon: "search",
            to: "/library",
            search: { query: searchResult.data.instead },
          },
        ]
      : [];
  const library: PaletteEntry = {
    id: "library-search",
    label: `Search the library for “${query}”`,
    icon: "search",
    to: "/library",
    search: { query },
  };
  return {
    // Later results are appended, so that Enter still opens the entry that people have read.
    entries: [...pages, library, ...accounts, ...similar, ...scripts],
    isSearching: query !== restedQuery || (searches && searchResult.isFetching),
  };
}

/** Ends at a word boundary; a line of the palette shows no more. */
const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${cutText(text, mostCharacters).replace(/\s+\S*$/u, "")}…`;

interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** The label split at the words of the search. */
  readonly parts?: ShownWords["parts"];
  readonly hint?: string | undefined;
  readonly icon: IconName;
  /** An address in the dashboard, after `/app`. */
  readonly to?: string;
  readonly run?: () => void;
  readonly search?: Readonly<Record<string, string>>;
}
