import type { ScriptLength } from "@reelscript/contract";
import type { Transcript, Word } from "./transcripts.ts";

interface ScriptFacts {
  readonly id: string;
  readonly addedAt: Date;
  /** When the account last changed the words of its copy, which `transcript` then contains; `null` for the shared one. */
  readonly correctedAt: Date | null;
  /** The median of the account's newest report on the reel's handle. */
  readonly typicalViews: number | null;
  /** In alphabetical order. */
  readonly tags: readonly string[];
}

export interface ScriptRow extends ScriptFacts {
  readonly transcript: Transcript;
  /** Set where `transcript.text` is only the beginning of a long text: the end and the length, in characters, of the whole. */
  readonly whole?: { readonly ending: string; readonly length: number };
}

/** Facts that lists of scripts have no use for. */
interface ReadingFacts {
  /** `recognizerKey` of everything that heard the reel, whether its text was kept or not. */
  readonly heardBy: readonly string[];
  /** `Transcript.revision` of the shared transcript, also where the script has a copy. */
  readonly sharedRevision: number;
}

export interface FoundScript extends ScriptRow, ReadingFacts {
  /** Absent if they were not requested, or if the transcript has none. */
  readonly words?: readonly Word[];
}

/** A script whose times are still in the database's form, because parsing them takes time that grows with the script. */
export interface UnreadScript extends ScriptFacts, ReadingFacts {
  readonly transcript: Omit<Transcript, "segments" | "gaps">;
  /** JSON. */
  readonly segments: string;
  readonly gaps: string;
  /** A list of numbers as the database spells it; `null` when the transcript has none or they were not asked for. */
  readonly words: string | null;
  /** In place of `segments` and `words` where it isn't `null`: bytes in base64. */
  readonly times: string | null;
  /** Whether words were asked for. */
  readonly timed: boolean;
}

/** A list continues after the row with this sort value and number. */
export interface ListPosition {
  /** Dates are milliseconds since 1970; `null` when the value is unknown. */
  readonly sortedBy: number | null;
  readonly number: number;
  /** The row has the exact words of the search; rows with other forms of them come later. */
  readonly exact?: true | undefined;
  /** The search's total, reused until the library's `changes` differ. */
  readonly counted?: { readonly total: number; readonly changes: number } | undefined;
}

/** Selects an account's scripts and their order. */
export interface ScriptSearch {
  readonly query?: string | undefined;
  /** Handle, compared without case and without a leading @. */
  readonly handle?: string | undefined;
  readonly platform?: string | undefined;
  readonly language?: string | undefined;
  readonly length?: ScriptLength | undefined;
  /** Compared as `foldedTag` does. */
  readonly tag?: string | undefined;
  /** Includes this moment. Reels of unknown dates match neither bound. */
  readonly postedAfter?: Date | undefined;
  /** Excludes this moment. */
  readonly postedBefore?: Date | undefined;
  readonly transcribedAfter?: Date | undefined;
  readonly transcribedBefore?: Date | undefined;
  readonly sort: "views" | "engagement" | "date" | "likes" | "posted";
  readonly limit: number;
  /** `next` from the previous page of the same search. */
  readonly after?: ListPosition | undefined;
}

/** A word of a text: its length with the space before it, in UTF-16 units, and the second at which it starts. */
export interface WordStart {
  readonly length: number;
  readonly at: number;
}

/** A page of a search. */
export interface FoundScripts {
  /**
   * With starts of words, if they are known and there was a query. At most 10,001 characters and 1,000 words of a script are read.
   * `later` is a part further on in its text that may have what was searched for, and the second of its segment.
   */
  readonly scripts: (ScriptRow & {
    readonly wordStarts?: readonly WordStart[];
    readonly later?: { readonly text: string; readonly at: number | null };
  })[];
  /** Counts all matches, also those before `after`. */
  readonly total: number;
  /** Present if there are more: `after` of the next page. */
  readonly next?: ListPosition | undefined;
}

/** Rows of a table: without segments, gaps and times of words. */
export interface TabledScripts {
  readonly scripts: readonly ScriptRow[];
  /** Present if there are more. */
  readonly next?: TablePosition | undefined;
}

export interface TablePosition {
  /** Scripts that were found but not read yet, in the order of the search. */
  readonly numbers: readonly number[];
  readonly after: ListPosition | undefined;
}

export interface SimilarWord {
  /** The word that was looked for. */
  readonly word: string;
  readonly similar: string;
}

export interface Scripts {
  /**
   * The account's scripts that match all words of `query` (a quoted phrase as a phrase, the last word as a prefix), the handle,
   * the platform, the language, the length, the tag and the dates. Exact matches come before other forms of the words; both
   * groups are sorted with a stable tie-breaker; unknown views and rates come last. Pages that continue at `next` never repeat
   * or skip a script, whatever is added.
   */
  search(accountId: string, search: ScriptSearch): Promise<FoundScripts>;
  /**
   * The words of the account's newest scripts that differ from these folded words by a letter, or are a word's beginning or
   * end, most frequent first; a word that is there comes as itself. It reads a limited number of scripts and bytes.
   */
  similarWords(accountId: string, words: readonly string[]): Promise<readonly SimilarWord[]>;
  /**
   * The next rows that a search finds, at most its `limit`. A search that reads the whole library does so once for thousands of
   * rows; scripts that were deleted meanwhile are left out.
   */
  table(accountId: string, search: Omit<ScriptSearch, "after">, position?: TablePosition): Promise<TabledScripts>;
  /** The ids of scripts that a search finds, at most its `limit`, in its order. */
  findIds(
    accountId: string,
    search: Omit<ScriptSearch, "after">,
  ): Promise<{ readonly ids: readonly string[]; readonly hasMore: boolean }>;
  /** One of the account's scripts, without word times. */
  find(accountId: string, scriptId: string): Promise<FoundScript | undefined>;
  /** Like `find`, with the first segments only, and without gaps. */
  findUntimed(accountId: string, scriptId: string): Promise<ScriptRow | undefined>;
  /** Like `find`, with its lists still as JSON, and with word times if `words` is set. */
  findUnread(
    accountId: string,
    scriptId: string,
    options?: { readonly words?: boolean | undefined },
  ): Promise<UnreadScript | undefined>;
  /**
   * The account's scripts, unread, newest first: about a megabyte of text, but at least one script if there is any. `next` is
   * set if there are more.
   */
  listUnread(
    accountId: string,
    after?: ListPosition,
  ): Promise<{ readonly scripts: readonly UnreadScript[]; readonly next?: ListPosition | undefined }>;
  /** The handles of the account's scripts, told apart without case, most scripts first; `total` counts those without one too. */
  handles(accountId: string): Promise<{
    readonly handles: readonly { readonly handle: string; readonly scripts: number }[];
    readonly total: number;
  }>;
  /** How many of the account's scripts are of each platform, language and length; undefined for a library that is too large to count. */
  kinds(accountId: string): Promise<
    | readonly {
        readonly platform: string;
        readonly language: string;
        readonly length: ScriptLength;
        readonly scripts: number;
      }[]
    | undefined
  >;
  /**
   * The account's scripts that were added after a position, in that order. `position` is that of the last one here; `total`
   * counts the whole library.
   */
  listReels(
    accountId: string,
    after: number,
    limit: number,
  ): Promise<{
    readonly scripts: readonly { readonly id: string; readonly reelUrl: string }[];
    readonly position: number;
    readonly more: boolean;
    readonly total: number;
  }>;
  /** The account's scripts of these reels of one platform. */
  findOfReels(
    accountId: string,
    platform: string,
    mediaIds: readonly string[],
  ): Promise<
    readonly { readonly id: string; readonly mediaId: string; readonly language: string; readonly text: string }[]
  >;
}

/** A deleted script that can still be restored. */
interface DeletedScript extends ScriptRow {
  readonly deletedAt: Date;
}

/** Scripts that accounts deleted. They are in no list, search, count or export of a library, and their links don't work. */
export interface DeletedScripts {
  /** Removes scripts from the account's library and returns the ids of those that were there. Their share links end. */
  delete(accountId: string, scriptIds: readonly string[], now: Date): Promise<readonly string[]>;
  /** The last deleted first, without times; `total` counts all of them. */
  list(
    accountId: string,
    page: { readonly limit: number; readonly after?: ListPosition | undefined },
  ): Promise<{ readonly scripts: readonly DeletedScript[]; readonly total: number; readonly next?: ListPosition }>;
  /**
   * Restores them, with corrections and tags, and returns the ids of the restored ones. A script whose reel is in the library
   * again stays deleted. Requesting the transcription of a reel also restores its script.
   */
  restore(accountId: string, scriptIds: readonly string[]): Promise<readonly string[]>;
  /** Erases them, so that nobody can restore them. Transcripts stay in the shared cache. */
  erase(accountId: string, scriptIds: readonly string[]): Promise<readonly string[]>;
}

/** Names that an account gives to scripts. A tag exists as long as a script has it, even a deleted one. */
export interface Tags {
  /** In alphabetical order; scripts that are deleted aren't counted. */
  list(accountId: string): Promise<readonly { readonly name: string; readonly scripts: number }[]>;
  /** Sets the tags of a script to these names, and returns them as they are spelled. `most` bounds the account's names. */
  set(
    accountId: string,
    scriptId: string,
    names: readonly string[],
    most: number,
  ): Promise<readonly string[] | "full" | "noScript">;
  /** Adds and removes tags, and returns the ids of the scripts that belong to the account, in any order. */
  change(
    accountId: string,
    scriptIds: readonly string[],
    change: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly most: number },
  ): Promise<readonly string[] | "full">;
}

type CorrectableSegment = {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  /** The script's current text; empty if it was removed. */
  readonly text: string;
  /** The text as recognized. */
  readonly original: string;
};

export interface Correctable {
  /** A transcript without times is one segment; an empty one has none. */
  readonly segments: readonly CorrectableSegment[];
  /** `null` if nothing is corrected. */
  readonly correctedAt: Date | null;
  /** True if the shared transcript was replaced after the correction. */
  readonly outdated: boolean;
}

/** Corrections of an account's own copy of a transcript; the shared one doesn't change. */
export interface Corrections {
  find(accountId: string, scriptId: string): Promise<Correctable | undefined>;
  /**
   * Gives a script the texts that `decide` returns, one for each segment, or the shared transcript again. Nobody else changes
   * the script meanwhile; if `decide` throws, nothing changes. The correction is deleted with the script. `undefined` if the
   * account has no such script.
   */
  change(
    accountId: string,
    scriptId: string,
    decide: (now: Correctable) => readonly string[] | "remove",
    now: Date,
  ): Promise<Correctable | undefined>;
}

export interface ShareLink {
  readonly id: string;
  readonly token: string;
  readonly createdAt: Date;
  readonly script: {
    readonly id: string;
    readonly handle: string | null;
    readonly language: string;
    /** The start of the text, enough to recognize the script. */
    readonly beginning: string;
  };
}

/** Links by which anybody may read one script, until they are revoked or the script, its account or its reel is removed. */
export interface ShareLinks {
  /** The script's link, which is created unless it exists. No account ever has more than `most`. */
  create(request: {
    readonly accountId: string;
    readonly scriptId: string;
    readonly token: string;
    readonly most: number;
    readonly now: Date;
  }): Promise<ShareLink | "full" | "noScript">;
  /** The account's links, newest first. */
  list(accountId: string): Promise<readonly ShareLink[]>;
  /** Revokes the link immediately, in every process. False if the account has no such link. */
  revoke(accountId: string, id: string): Promise<boolean>;
  /** Finds the script of a token; `undefined` if its account is suspended. */
  open(token: string): Promise<ScriptRow | undefined>;
}

/** The content of the picture that chats show for a link to a script. Colors are hex, six digits. */
export interface ScriptCard {
  readonly title: string;
  readonly handle: string | null;
  readonly ground: string;
  readonly words: string;
}
