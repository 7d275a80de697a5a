import type { Language, ScriptLength } from "@reelscript/contract";
import { languageCodes, platformNames, scriptLengthNames, type PlatformName } from "@reelscript/contract/values";
import { bioTabs, type BioTab } from "../pages/bio/bio-tabs.ts";

type Raw = Record<string, unknown>;

export const analyticsPeriods = [7, 30, 90] as const;

export interface LibrarySearch {
  readonly query?: string | undefined;
  readonly account?: string | undefined;
  readonly platform?: PlatformName | undefined;
  readonly language?: Language | "und" | undefined;
  readonly length?: ScriptLength | undefined;
  readonly sort?: "views" | "engagement" | "date" | undefined;
}

/** The router reads `?query=12` as a number; in a search it is text. */
const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

const matching = (shape: RegExp, value: unknown): string | undefined =>
  typeof value === "string" && shape.test(value) ? value : undefined;

const oneOf = <const Value extends string | number>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((known) => known === value);

const seconds = (value: unknown): number | undefined => (typeof value === "number" && value >= 0 ? value : undefined);

/** What the addresses of pages carry beside their path; whatever else comes is left out. */
export const pageSearch = {
  library: (raw: Raw): LibrarySearch => ({
    query: text(raw["query"]),
    account: text(raw["account"]),
    platform: oneOf(platformNames, raw["platform"]),
    language: oneOf([...languageCodes, "und"], raw["language"]),
    length: oneOf(scriptLengthNames, raw["length"]),
    sort: oneOf(["views", "engagement", "date"], raw["sort"]),
  }),
  /** `t` is the second to begin at. */
  script: (raw: Raw): { query?: string | undefined; t?: number | undefined } => ({
    query: text(raw["query"]),
    t: seconds(raw["t"]),
  }),
  /** `urls` are links of several reels with spaces between them, `report` is where they come from. */
  transcribe: (raw: Raw): Partial<Record<"url" | "urls" | "id" | "report", string | undefined>> => ({
    url: text(raw["url"]),
    urls: text(raw["urls"]),
    id: text(raw["id"]),
    report: text(raw["report"]),
  }),
  reports: (raw: Raw): { query?: string | undefined } => ({ query: text(raw["query"]) }),
  compare: (raw: Raw): { handles?: readonly string[] | undefined } => ({
    handles: Array.isArray(raw["handles"]) ? raw["handles"].map(String).slice(0, 4) : undefined,
  }),
  /** `handle` is the address that somebody came to claim; `publish` does so on arrival. */
  bio: (raw: Raw): { tab?: BioTab | undefined; handle?: string | undefined; publish?: "now" | undefined } => ({
    tab: oneOf(bioTabs, raw["tab"]),
    handle: text(raw["handle"])?.slice(0, 60),
    publish: oneOf(["now"], raw["publish"]),
  }),
  analytics: (raw: Raw): { days?: (typeof analyticsPeriods)[number] | undefined } => ({
    days: oneOf(analyticsPeriods, Number(text(raw["days"]))),
  }),
  guides: (raw: Raw): { query?: string | undefined; category?: string | undefined } => ({
    query: text(raw["query"]),
    category: text(raw["category"]),
  }),
  keys: (raw: Raw): { new?: "key" | undefined } => ({ new: oneOf(["key"], raw["new"]) }),
  /** `plan` was chosen before signing in. */
  usage: (raw: Raw): { checkout?: "done" | "canceled" | undefined; plan?: "hobby" | "creator" | undefined } => ({
    checkout: oneOf(["done", "canceled"], raw["checkout"]),
    plan: oneOf(["hobby", "creator"], raw["plan"]),
  }),
  /** Of the extension that asks; what cannot be its own is left out. */
  connect: (raw: Raw): { challenge?: string | undefined; state?: string | undefined } => ({
    challenge: matching(/^[\w-]{43}$/, raw["challenge"]),
    state: matching(/^[\w-]{16,128}$/, raw["state"]),
  }),
  /** `account` says what became of it, to who comes from there. */
  signIn: (
    raw: Raw,
  ): { return_to?: string | undefined; error?: string | undefined; account?: "deleted" | undefined } => ({
    return_to: text(raw["return_to"]),
    error: text(raw["error"]),
    account: oneOf(["deleted"], raw["account"]),
  }),
};
