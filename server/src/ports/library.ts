import type { ScriptLength } from "@reelscript/contract";
import type { Transcript, Word } from "./transcripts.ts";

interface ScriptFacts {
  readonly id: string;
  readonly addedAt: Date;
  /** When the account last changed the words of its copy, which `transcript` then is; `null` when it is the shared one. */
  readonly correctedAt: Date | null;
  /** The median of the account's newest report on the reel's handle. */
  readonly typicalViews: number | null;
  /** In alphabetical order. */
  readonly tags: readonly string[];
}

export interface ScriptRow extends ScriptFacts {
  readonly transcript: Transcript;
}

/** Facts that lists of scripts have no use for. */
interface ReadingFacts {
  /** `recognizerKey` of everything that heard the reel, whether its text was kept or not. */
  readonly heardBy: readonly string[];
  /** `Transcript.revision` of the shared transcript, also where the script has a copy. */
  readonly sharedRevision: number;
}

export interface FoundScript extends ScriptRow, ReadingFacts {
  /** Absent when they were not asked for, and when the transcript has none. */
  readonly words?: readonly Word[];
}

/** A script whose times are as the database sends them, because reading them takes time that grows with the script. */
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

/** Which of an account's scripts are looked for, and in which order. */
export interface ScriptSearch {
  readonly query?: string | undefined;
  /** Handle, compared without case and without a leading @. */
  readonly handle?: string | undefined;
  readonly platform?: string | undefined;
  readonly language?: string | undefined;
  readonly length?: ScriptLength | undefined;
  /** Compared as `foldedTag` does. */
  readonly tag?: string | undefined;
  /** From then on. Reels of unknown dates are found by neither. */
  readonly postedAfter?: Date | undefined;
  /** Until then, without that moment. */
  readonly postedBefore?: Date | undefined;
  readonly transcribedAfter?: Date | undefined;
  readonly transcribedBefore?: Date | undefined;
  readonly sort: "views" | "engagement" | "date" | "likes" | "posted";
  readonly limit: number;
  /** `next` of the same search. */
  readonly after?: ListPosition | undefined;
}

/** A page of a search. */
export interface FoundScripts {
  /** With the times of their words where they are known and a query was given. */
  readonly scripts: (ScriptRow & { readonly words?: readonly Word[] })[];
  /** Counts all matches, also those before `after`. */
  readonly total: number;
  /** Present where more follow: `after` of the next page. */
  readonly next?: ListPosition | undefined;
}

/** Rows of a table: without segments, gaps and times of words. */
export interface TabledScripts {
  readonly scripts: readonly ScriptRow[];
  /** Present where more follow. */
  readonly next?: TablePosition | undefined;
}

export interface TablePosition {
  /** Scripts that were found and not read, in the order of the search. */
  readonly numbers: readonly number[];
  readonly after: ListPosition | undefined;
}

export interface Scripts {
  /**
   * The account's scripts that match all words of `query` (a quoted phrase as a phrase, the last word as a prefix), the
   * handle, the platform, the language, the length, the tag and the dates. Those that have the very words come before those that have other
   * forms of them; both are sorted with a stable tie-breaker; unknown views and rates come last. Pages that go on at `next`
   * never repeat or skip a script, whatever is added.
   */
  search(accountId: string, search: ScriptSearch): Promise<FoundScripts>;
  /**
   * The next rows of everything that a search finds, at most its `limit`. A search that reads the whole library does so once
   * for thousands of rows; scripts that were deleted meanwhile are left out.
   */
  table(accountId: string, search: Omit<ScriptSearch, "after">, position?: TablePosition): Promise<TabledScripts>;
  /** One of the account's scripts, without the times of its words. */
  find(accountId: string, scriptId: string): Promise<FoundScript | undefined>;
  /** Like `find`, with its lists still as JSON, and with the times of its words if `words` is set. */
  findUnread(
    accountId: string,
    scriptId: string,
    options?: { readonly words?: boolean | undefined },
  ): Promise<UnreadScript | undefined>;
  /**
   * The account's scripts, unread, newest first: about a megabyte of text, and one script at least while there are any.
   * `next` is where more follow.
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
   * The account's scripts that were added behind a position, in the order of their addition. `position` is behind the last
   * one here; `total` counts the whole library.
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

/** A script that was deleted and can still be restored. */
interface DeletedScript extends ScriptRow {
  readonly deletedAt: Date;
}

/** Scripts that accounts deleted. They are in no list, search, count or export of a library, and nobody opens their links. */
export interface DeletedScripts {
  /** Takes scripts out of the account's library and returns the ids of those that were there. Their share links are over. */
  delete(accountId: string, scriptIds: readonly string[], now: Date): Promise<readonly string[]>;
  /** The last deleted first, without times; `total` counts all of them. */
  list(
    accountId: string,
    page: { readonly limit: number; readonly after?: ListPosition | undefined },
  ): Promise<{ readonly scripts: readonly DeletedScript[]; readonly total: number; readonly next?: ListPosition }>;
  /**
   * Puts them back, with corrections and tags, and returns the ids of those that were. One whose reel has a script again
   * stays deleted. Requesting the transcription of a reel restores its script as well.
   */
  restore(accountId: string, scriptIds: readonly string[]): Promise<readonly string[]>;
  /** Ends the waiting: nobody can restore them from then on. Transcripts stay in the shared cache. */
  erase(accountId: string, scriptIds: readonly string[]): Promise<readonly string[]>;
}

/** Names that an account gives to scripts. A tag exists while a script has it, a deleted one too. */
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
  /** Adds and takes away tags, and returns how many of the scripts are the account's. */
  change(
    accountId: string,
    scriptIds: readonly string[],
    change: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly most: number },
  ): Promise<number | "full">;
}

type CorrectableSegment = {
  /** Seconds from the beginning. */
  readonly start: number;
  readonly end: number;
  /** The script's text now; empty when it was removed. */
  readonly text: string;
  /** The text as recognized. */
  readonly original: string;
};

export interface Correctable {
  /** A transcript of unknown times is one segment; one in which nothing is said has none. */
  readonly segments: readonly CorrectableSegment[];
  /** `null` when nothing is corrected. */
  readonly correctedAt: Date | null;
  /** True when the shared transcript was replaced after the correction. */
  readonly outdated: boolean;
}

/** An account corrects its own copy of a transcript; the shared one doesn't change. */
export interface Corrections {
  find(accountId: string, scriptId: string): Promise<Correctable | undefined>;
  /**
   * Gives a script the texts that `decide` answers, one for each segment, or the shared transcript again. Nobody else changes
   * the script meanwhile; what `decide` throws leaves it as it was. The correction goes with the script. `undefined` when the
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

/** Links by which anybody may read one script, until they are revoked or the script, its account or its reel goes. */
export interface ShareLinks {
  /** The script's link, which is a new one unless it has one. No account ever has more than `most`. */
  create(wanted: {
    readonly accountId: string;
    readonly scriptId: string;
    readonly token: string;
    readonly most: number;
    readonly now: Date;
  }): Promise<ShareLink | "full" | "noScript">;
  /** The account's links, newest first. */
  list(accountId: string): Promise<readonly ShareLink[]>;
  /** From then on nobody can open it, in any process. False when the account has no such link. */
  revoke(accountId: string, id: string): Promise<boolean>;
  /** Finds the script that a token opens; `undefined` when its account is suspended. */
  open(token: string): Promise<ScriptRow | undefined>;
}

/** The content of the picture that chats show for a link to a script. Colors are hex, six digits. */
export interface ScriptCard {
  readonly title: string;
  readonly handle: string | null;
  readonly ground: string;
  readonly words: string;
}
