import {
  filePlatform,
  languageCodes,
  platformNames,
  scriptLengthNames,
  type Language,
  type ScriptLength,
} from "@reelscript/contract/values";

type Read<Value> = (value: unknown) => Value | undefined;

export const analyticsPeriods = [7, 30, 90] as const;

/** Parts of the bio page’s editor. */
export const bioTabs = ["links", "look", "profile", "sharing", "address"] as const;
export type BioTab = (typeof bioTabs)[number];

/** All places that a script of the library comes from, also the person’s own files. */
export const libraryPlatforms = [...platformNames, filePlatform] as const;

/** The router parses `?query=12` as a number; in a search it is text. */
const text: Read<string> = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value) || undefined : undefined;

const matching =
  (shape: RegExp): Read<string> =>
  (value) =>
    typeof value === "string" && shape.test(value) ? value : undefined;

const day = matching(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/);

const oneOf =
  <const Value extends string | number>(values: readonly Value[]): Read<Value> =>
  (value) =>
    values.find((candidate) => candidate === value);

const seconds: Read<number> = (value) => (typeof value === "number" && value >= 0 ? value : undefined);

/** The query parameters of the library. Missing or malformed ones are left out. */
export interface LibrarySearch {
  readonly query?: string | undefined;
  readonly account?: string | undefined;
  readonly platform?: (typeof libraryPlatforms)[number] | undefined;
  readonly language?: Language | "und" | undefined;
  readonly length?: ScriptLength | undefined;
  readonly tag?: string | undefined;
  /** Days, such as 2026-11-01. */
  readonly postedAfter?: string | undefined;
  readonly postedBefore?: string | undefined;
  readonly transcribedAfter?: string | undefined;
  readonly transcribedBefore?: string | undefined;
  readonly sort?: "views" | "engagement" | "date" | "likes" | "posted" | undefined;
}

const searchOf =
  <Search extends object>(reads: { readonly [Name in keyof Search]: Read<Search[Name]> }) =>
  (raw: Record<string, unknown>): { [Name in keyof Search]?: Search[Name] | undefined } => {
    const read = Object.entries<Read<unknown>>(reads).map(([name, readOne]) => [name, readOne(raw[name])]);
    return Object.fromEntries(read) as Search; // safe: each is read as its type
  };

/** Query parameters of the pages; any others are left out. */
export const pageSearch = {
  library: searchOf<LibrarySearch>({
    query: text,
    account: text,
    platform: oneOf(libraryPlatforms),
    language: oneOf([...languageCodes, "und"]),
    length: oneOf(scriptLengthNames),
    tag: text,
    postedAfter: day,
    postedBefore: day,
    transcribedAfter: day,
    transcribedBefore: day,
    sort: oneOf(["views", "engagement", "date", "likes", "posted"]),
  }),
  /** `t` is the second at which playback begins. */
  script: searchOf({ query: text, t: seconds }),
  /** `urls` are links of several reels separated by spaces; `report` is the report that they come from. */
  transcribe: searchOf({ url: text, urls: text, id: text, report: text }),
  reports: searchOf({ query: text }),
  series: searchOf({ platform: oneOf(platformNames) }),
  libraryReport: searchOf({ timezone: text }),
  /** `own` is the handle of the person's own account; empty if it is none of them. */
  compare: searchOf({
    own: (value): string | undefined =>
      typeof value === "string" || typeof value === "number" ? String(value) : undefined,
    handles: (value): readonly string[] | undefined =>
      Array.isArray(value) ? value.map(String).slice(0, 4) : undefined,
  }),
  /** `handle` is the handle that somebody wants to claim; `publish` publishes on arrival. */
  bio: searchOf({
    tab: oneOf(bioTabs),
    handle: (value): string | undefined => text(value)?.slice(0, 60),
    publish: oneOf(["now"]),
  }),
  analytics: searchOf({
    days: (value): (typeof analyticsPeriods)[number] | undefined => oneOf(analyticsPeriods)(Number(text(value))),
  }),
  guides: searchOf({ query: text, category: text }),
  keys: searchOf({ new: oneOf(["key"]) }),
  /** `plan` was chosen before signing in. */
  usage: searchOf({ checkout: oneOf(["done", "canceled"]), plan: oneOf(["hobby", "creator"]) }),
  /** Values from the extension that requests a connection; malformed ones are left out. */
  connect: searchOf({ challenge: matching(/^[\w-]{43}$/), state: matching(/^[\w-]{16,128}$/) }),
  /** `account` shows the outcome to people who were sent here. */
  signIn: searchOf({ return_to: text, state: text, error: text, account: oneOf(["deleted"]) }),
};
