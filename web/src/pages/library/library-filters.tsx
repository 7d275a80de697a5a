import {
  filePlatform,
  languageCodes,
  platformNames,
  scriptLengthNames,
  socialPlatforms,
  type SocialPlatform,
} from "@reelscript/contract/values";
import { useOperation } from "../../api/use-operation.ts";
import { Select } from "../../components/field.tsx";
import { languageName, exactNumber } from "../../format.ts";
import { libraryPlatforms, type LibrarySearch } from "../page-search.ts";
import type { ScriptLength } from "@reelscript/contract";

export type LibraryFilter = Omit<LibrarySearch, "query" | "sort">;

const lengthLabels: Readonly<Record<ScriptLength, string>> = {
  under30s: "Under 30 s",
  "30to60s": "30 to 60 s",
  "1to3min": "1 to 3 min",
  over3min: "Over 3 min",
};

export const isNarrowed = (filter: LibraryFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** " on TikTok in Tamil, 30 to 60 s, tagged Hooks"; empty without such filters. */
export function kindWords({ platform, language, length, tag, ...dates }: LibraryFilter): string {
  const on =
    platform === undefined
      ? ""
      : platform === filePlatform
        ? " from your files"
        : ` on ${socialPlatforms[platform].name}`;
  const inLanguage =
    language === undefined ? "" : language === "und" ? " without speech" : ` in ${languageName(language)}`;
  const long = length === undefined ? "" : `, ${lengthLabels[length].toLowerCase()}`;
  const tagged = tag === undefined ? "" : `, tagged ${tag}`;
  const { postedAfter, postedBefore, transcribedAfter, transcribedBefore } = dates;
  const dated = [postedAfter, postedBefore, transcribedAfter, transcribedBefore].some((date) => date !== undefined);
  return on + inLanguage + long + tagged + (dated ? " in these dates" : "");
}

export type Sort = NonNullable<LibrarySearch["sort"]>;

const sorts: readonly { readonly value: Sort; readonly label: string }[] = [
  { value: "date", label: "Last added" },
  { value: "views", label: "Most views" },
  { value: "likes", label: "Most likes" },
  { value: "engagement", label: "Most engagement" },
  { value: "posted", label: "Last posted" },
];

const listedLanguages = [...languageCodes, "und"] as const;

interface Props {
  readonly filter: LibraryFilter;
  readonly sort: Sort;
  readonly onFilter: (change: LibraryFilter) => void;
  readonly onSort: (sort: Sort) => void;
}

export function LibraryFilters({ filter, sort, onFilter, onSort }: Props) {
  const kinds = useOperation("countScriptKinds", {}).data;
  // A library too large to count offers every option.
  const counted = kinds?.languages.length ? kinds : undefined;
  const languages: Kinds =
    counted?.languages.map(({ language, scripts }) => [language, scripts]) ?? languageCodes.map((code) => [code]);
  const lengths: Kinds =
    counted?.lengths.map(({ length, scripts }) => [length, scripts]) ?? scriptLengthNames.map((name) => [name]);
  const onPlatforms: Kinds =
    counted?.platforms.map(({ platform, scripts }) => [platform, scripts]) ?? platformNames.map((name) => [name]);
  return (
    <div className="filters row wrap">
      <AccountFilter account={filter.account} onFilter={onFilter} />
      {/* Shown even if the library has only one platform, so that nothing moves when the counts arrive. */}
      <Select
        label="Platform"
        labelHidden
        value={filter.platform ?? ""}
        options={optionsOf("All platforms", onPlatforms.filter(isOffered), filter.platform, labelOfPlatform)}
        onChange={(value) => onFilter({ platform: libraryPlatforms.find((name) => name === value) })}
      />
      <Select
        label="Language"
        labelHidden
        value={filter.language ?? ""}
        options={optionsOf("All languages", languages, filter.language, languageName)}
        onChange={(value) => onFilter({ language: listedLanguages.find((code) => code === value) })}
      />
      <Select
        label="Length"
        labelHidden
        value={filter.length ?? ""}
        options={optionsOf("Any length", lengths, filter.length, labelOfLength)}
        onChange={(value) => onFilter({ length: scriptLengthNames.find((name) => name === value) })}
      />
      <div className="sort row">
        <span className="meta" aria-hidden="true">
          Sort by
        </span>
        <Select label="Sort" labelHidden value={sort} options={sorts} onChange={onSort} />
      </div>
    </div>
  );
}

/** An option, with the number of its scripts if that is known. */
type Kinds = readonly (readonly [kind: string, scripts?: number])[];

/** True for real platforms and the person's own files, not for a stand-in. */
const isOffered = ([kind]: Kinds[number]): boolean => libraryPlatforms.some((name) => name === kind);

const labelOfPlatform = (platform: string): string =>
  platform === filePlatform ? "Your files" : socialPlatforms[platform as SocialPlatform].name;

const labelOfLength = (length: string): string => lengthLabels[length as keyof typeof lengthLabels] ?? length;

/** The selected option is offered even if no script has it. */
function optionsOf(all: string, kinds: Kinds, selectedKind: string | undefined, label: (kind: string) => string) {
  const missing: Kinds =
    selectedKind === undefined || kinds.some(([kind]) => kind === selectedKind) ? [] : [[selectedKind]];
  return [
    { value: "", label: all },
    ...[...missing, ...kinds].map(([kind, scripts]) => ({
      value: kind,
      label: label(kind) + (scripts === undefined ? "" : ` (${exactNumber(scripts)})`),
    })),
  ];
}

interface AccountProps {
  readonly account: string | undefined;
  readonly onFilter: (change: LibraryFilter) => void;
}

function AccountFilter({ account, onFilter }: AccountProps) {
  const accounts = useOperation("listScriptAccounts", {}).data?.accounts ?? [];
  const same = (handle: string): boolean => handle.toLowerCase() === account?.toLowerCase();
  const selectedHandle = accounts.find(({ handle }) => same(handle))?.handle ?? account;
  const kinds = accounts.map(({ handle, scripts }) => [handle, scripts] as const);
  return (
    <Select
      label="Account"
      labelHidden
      value={selectedHandle ?? ""}
      options={optionsOf("All accounts", kinds, selectedHandle, (handle) => `@${handle}`)}
      onChange={(value) => onFilter({ account: value || undefined })}
    />
  );
}
