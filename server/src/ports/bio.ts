import type { BioContent, deviceNames } from "@reelscript/contract";

export interface StoredBioPage {
  /** Names the page in events, whatever its handle; `undefined` before the first change. */
  readonly id: string | undefined;
  readonly handle: string | null;
  readonly content: BioContent;
  /** 0 before the first change; rises by one with each. */
  readonly revision: number;
  readonly updatedAt: Date | null;
}

export interface BioPages {
  /** The empty page of revision 0 when the account never changed it. */
  read(accountId: string): Promise<StoredBioPage>;
  /** The content of a revision; the last `keptBioRevisions` are kept, the present one and revision 0 among them. */
  readRevision(accountId: string, revision: number): Promise<BioContent | undefined>;
  /**
   * Changes the page under a lock: changes of one page follow one another, each `decide` sees what the one before it wrote.
   * `decide` answers the new content, or `undefined` to leave all as it is; what it throws is thrown on, and nothing is written.
   */
  change(accountId: string, decide: (page: StoredBioPage) => BioContent | undefined, now: Date): Promise<StoredBioPage>;
  /**
   * Gives the page a handle, or none. `handle` is in small letters and of the right shape. No two accounts have the same
   * handle, under any concurrency. The former handle is held for the account for `bioHandleLimits.heldDays`: until then others
   * find it taken, and the account may have it back. `"taken"`: another account has it, or it is held, for another account or
   * for nobody because its account was removed; `"tooOften"`: `bioHandleLimits.held` others are held for the account already.
   * Giving up is always possible. Makes no revision.
   */
  claimHandle(accountId: string, handle: string | null, now: Date): Promise<StoredBioPage | "taken" | "tooOften">;
}

/** A view (`linkId` null) or click by a person. */
export interface BioVisit {
  readonly bioId: string;
  readonly linkId: string | null;
  /** 8 bytes that tell the visitors of a day apart and cannot be led back to anybody. */
  readonly visitor: Uint8Array;
  readonly at: Date;
  /** Host of the site that the visitor came from. */
  readonly referrer: string | null;
  /** Two capital letters. */
  readonly country: string | null;
  readonly device: (typeof deviceNames)[number];
}

export type BioExclusion = "bots" | "prefetch" | "owner";

/** All days are of UTC, written `2026-05-01`. */
export interface BioFigures {
  /** Days without events are missing. */
  readonly daily: readonly {
    readonly date: string;
    readonly views: number;
    readonly clicks: number;
    /** Different visitors of the day, who viewed or clicked. */
    readonly visitors: number;
    readonly clickers: number;
  }[];
  /** The links of the page, and deleted ones with clicks; most clicked first. */
  readonly links: readonly {
    readonly id: string;
    readonly title: string;
    readonly url: string;
    readonly clicks: number;
    readonly deleted: boolean;
  }[];
  /** Views, most first; at most 50. Of a folded day only the 50 sites with the most views are told apart. */
  readonly referrers: readonly { readonly host: string | null; readonly views: number }[];
  readonly countries: readonly { readonly country: string | null; readonly views: number }[];
  readonly devices: readonly { readonly device: (typeof deviceNames)[number]; readonly views: number }[];
  readonly excluded: Readonly<Record<BioExclusion, number>>;
}

export interface BioEvents {
  /** The salt of a day, the same for every process; `fresh` becomes it when the day has none. */
  saltOf(day: string, fresh: Uint8Array): Promise<Uint8Array>;
  /**
   * Keeps a view or click. `"repeated"`: the visitor clicked this link within the hour before, which holds under any
   * concurrency. `"unknown"`: there is no such page, or it never had such a link.
   */
  record(visit: BioVisit): Promise<"counted" | "repeated" | "unknown">;
  /** Counts what is not counted; nothing happens when there is no such page. */
  exclude(bioId: string, reason: BioExclusion, at: Date): Promise<void>;
  /**
   * The figures of an account's page: `daily` from `earliest` to `to`, all others from `from` to `to`, whole days, both
   * ends included. All of one moment.
   */
  read(
    accountId: string,
    days: { readonly earliest: string; readonly from: string; readonly to: string },
  ): Promise<BioFigures>;
  /** Throws away the salts of past days (an hour after midnight) and what repeated clicks were told by. */
  forget(now: Date): Promise<void>;
  /**
   * Makes daily totals of the events of one page on one day that ended 48 hours ago or more, the oldest first, and throws the
   * events away, all of it or nothing; false when none is left or another process is at it. `read` answers the same before
   * and after, but for rare referrers. An event that comes later is added to the totals, its visitor as a new one.
   */
  fold(now: Date): Promise<boolean>;
}
