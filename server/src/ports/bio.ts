import type { BioContent, BioLink, deviceNames } from "@reelscript/contract";

export interface StoredBioPage {
  /** Identifies the page in events, whatever its handle; `undefined` before the first change. */
  readonly id: string | undefined;
  readonly handle: string | null;
  readonly content: BioContent;
  /** 0 before the first change; rises by one with each. */
  readonly revision: number;
  readonly updatedAt: Date | null;
  /** When the operator took it down; `null` while it is public. */
  readonly takenDownAt: Date | null;
}

interface BioRevision {
  readonly revision: number;
  readonly content: BioContent;
  readonly changedAt: Date | null;
}

export interface BioPages {
  /** The empty page of revision 0 if the account never changed it. */
  read(accountId: string): Promise<StoredBioPage>;
  /** The content of a revision; the last `keptBioRevisions` are kept, including the current one. */
  readRevision(accountId: string, revision: number): Promise<BioContent | undefined>;
  /** The newest revisions first, at most `limit`. For revisions of earlier releases the time of the change is unknown. */
  listRevisions(accountId: string, limit: number): Promise<readonly BioRevision[]>;
  /** Returns the ids that belong to a link in a kept revision. */
  keptLinks(accountId: string, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Changes the page under a lock, which serializes its changes: each `decide` sees the result of the previous one. `decide`
   * returns the new content, or `undefined` to change nothing; if it throws, nothing is written and the error is passed on.
   */
  change(accountId: string, decide: (page: StoredBioPage) => BioContent | undefined, now: Date): Promise<StoredBioPage>;
  /**
   * Gives the page a handle, or none. `handle` is valid and in lower case. No two accounts have the same handle, under any
   * concurrency. The former handle stays reserved for the account for `bioHandleLimits.keptDays`: until then others find it
   * taken, and the account may take it back. `"taken"`: another account has it, or it is reserved for another account, or for
   * nobody because its account was removed; `"tooOften"`: `bioHandleLimits.kept` others are already reserved for the account.
   * Giving up a handle is always possible. With `isFirst`, a page that has another handle keeps it: `"notFirst"`. Creates no
   * revision.
   */
  claimHandle(
    accountId: string,
    handle: string | null,
    now: Date,
    options?: { readonly isFirst?: boolean },
  ): Promise<StoredBioPage | "taken" | "tooOften" | "notFirst">;
  /** Whether the account could claim a handle now; `"yours"`: its page has it, or it is reserved for the account. */
  handleState(accountId: string, handle: string, now: Date): Promise<"free" | "yours" | "taken">;
}

/**
 * The result of resolving a handle. `takenDown`: the operator took the page down. `kept`: its account gave the handle up or was
 * removed, and no other account may have it yet. `free`: no account has it.
 */
type BioAddress =
  | { readonly kind: "page"; readonly bioId: string; readonly revision: number }
  | { readonly kind: "moved"; readonly handle: string }
  | { readonly kind: "takenDown" | "kept" | "free" };

/** Reads published bio pages at claimed addresses, without signing in. */
export interface PublicBioPages {
  /** Cheap. `handle` is in lower case. A former handle leads to the current one, however many there were in between. */
  resolve(handle: string, now: Date): Promise<BioAddress>;
  /** `undefined` if the page was removed. */
  read(bioId: string): Promise<StoredBioPage | undefined>;
  /** A link on its page's current version; `undefined` if the page has no address or no longer has the link. */
  findLink(linkId: string): Promise<
    | {
        readonly bioId: string;
        readonly handle: string;
        readonly isTakenDown: boolean;
        readonly link: BioLink;
      }
    | undefined
  >;
}

/** A public page whose owner wants it in the sitemap. */
export interface ListedBioPage {
  readonly id: string;
  readonly handle: string;
  readonly updatedAt: Date | null;
}

interface BioPageRange {
  readonly from: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The pages for the sitemap, ordered by id. */
export interface ListedBioPages {
  /** The first ids of groups of so many pages, at most `most`. A group may contain fewer public pages. */
  groups(size: number, most: number): Promise<string[]>;
  /** Reads pages with `from` <= id < `before` and id > `after`. */
  read(range: BioPageRange, limit: number): Promise<ListedBioPage[]>;
}

/** A view (`linkId` null) or click by a person. */
export interface BioVisit {
  readonly bioId: string;
  readonly linkId: string | null;
  /** 8 bytes that distinguish the visitors of a day and identify nobody. */
  readonly visitor: Uint8Array;
  readonly at: Date;
  /** The host of the referring site, or the source that the link names. */
  readonly referrer: string | null;
  /** Two capital letters. */
  readonly country: string | null;
  readonly device: (typeof deviceNames)[number];
}

/** `floods`: more than people in one network would cause. */
export type BioExclusion = "bots" | "prefetch" | "owner" | "floods";

interface ExcludedRequests {
  readonly bioId: string;
  readonly reason: BioExclusion;
  /** UTC, such as `2026-05-01`. */
  readonly day: string;
  readonly requests: number;
}

/** Counts that are written together. */
export interface BioBatch {
  readonly id: string;
  /** At most one click of a visitor on each link. */
  readonly visits: readonly BioVisit[];
  /** At most one per page, reason and day. */
  readonly excluded: readonly ExcludedRequests[];
}

/**
 * `repeated`: the visitor clicked this link within the hour before, which is exact under any concurrency.
 * `unknown`: the page doesn't exist or doesn't have the link.
 */
export type BioOutcome = "counted" | "repeated" | "unknown";

/** All days are of UTC, written `2026-05-01`. */
export interface BioFigures {
  /** The day on which the page was created; null if there is none. */
  readonly since: string | null;
  /** Days without events are missing; oldest first. */
  readonly daily: readonly {
    readonly date: string;
    readonly views: number;
    readonly clicks: number;
    /** Distinct visitors of the day, with views or clicks. */
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
  /**
   * Views by site, most first; at most 50. Days that ended 48 hours ago list only their 50 sites with the most views by name.
   */
  readonly referrers: readonly { readonly host: string | null; readonly views: number }[];
  readonly countries: readonly { readonly country: string | null; readonly views: number }[];
  readonly devices: readonly { readonly device: (typeof deviceNames)[number]; readonly views: number }[];
  readonly excluded: Readonly<Record<BioExclusion, number>>;
}

export interface BioEvents {
  /**
   * The salt of a day, the same for every process and deleted an hour after the day; if the day has none, `fresh` becomes its
   * salt.
   */
  saltOf(day: string, fresh: Uint8Array): Promise<Uint8Array>;
  /**
   * Writes a batch, all of it or nothing, and returns the outcome of each visit, in order. A batch that was already written
   * changes nothing and returns nothing. Counts of unknown pages are left out.
   */
  write(batch: BioBatch, now: Date): Promise<readonly BioOutcome[]>;
  /**
   * The figures of an account's page: `daily` from `earliest` to `to`, all others from `from` to `to`, whole days, both
   * inclusive, all at one moment.
   */
  read(
    accountId: string,
    days: { readonly earliest: string; readonly from: string; readonly to: string },
  ): Promise<BioFigures>;
  /**
   * Adds some thousands of the oldest events to daily totals and deletes them, once they are an hour old or there are many;
   * then deletes visitors and rare referrers of days that ended 48 hours ago or more. False if nothing is left or another
   * process is folding. `read` returns the same before and after, except for rare referrers. The visitor of an event that
   * arrives later counts as a new one.
   */
  fold(now: Date): Promise<boolean>;
}

/** Every image is kept in these forms. */
export const imageForms = ["large.webp", "large.jpg", "small.webp", "small.jpg"] as const;
export type ImageForm = (typeof imageForms)[number];

/** A redrawn image: without metadata, upright, large at most 1600 and small at most 640 pixels wide and high. */
export interface DrawnImage {
  /** `width` and `height` are those of the large forms, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly files: Readonly<Record<ImageForm, Uint8Array>>;
}

/** The part of an upright image that is kept, in parts of its width and height: 0 to 1. */
export interface Crop {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Images from people. Errors are `ServiceError`s whose message begins in lower case. */
export interface ImageSource {
  /** Downloads at most `bioLimits.imageBytes` from a public https URL. Throws `invalidRequest`, or the signal's reason. */
  fetch(url: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Accepts still JPEG, PNG, WebP and AVIF of at most `bioLimits.imageMegapixels`, AVIF of fewer and without transparency, one
   * at a time per account. Throws `invalidRequest`, `rateLimited` if too many of the account wait, `unavailable` if too many
   * wait in all.
   */
  draw(accountId: string, bytes: Uint8Array, crop?: Crop): Promise<DrawnImage>;
}

/** The images of bio pages; each belongs to one account. */
export interface BioImages {
  /** The image's id, the same for the same image of an account; `undefined` if the account has `bioLimits.images`. */
  keep(accountId: string, image: DrawnImage, now: Date): Promise<string | undefined>;
  /** Returns the ids that belong to the account's images. */
  owned(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Anyone may read an image. */
  read(id: string, form: ImageForm): Promise<Uint8Array | undefined>;
}

/**
 * `gone`: the host says that there is nothing (404, 410). `unresolved`: there is no such host on the public internet.
 * `unknown`: any other failure, which may be ours or temporary.
 */
export type LinkState = "fine" | "gone" | "unresolved" | "unknown";

/** Requests a link of the public web once, following redirects, within seconds. Throws only the reason of the signal. */
export type ProbeLink = (url: string, signal: AbortSignal) => Promise<LinkState>;

/** A link that failed at every check for a day or longer. */
type FailingLink = {
  readonly id: string;
  readonly url: string;
  readonly problem: Extract<LinkState, "gone" | "unresolved">;
  readonly since: Date;
};

/** Checks the links of public pages, so that owners learn which ones are dead. */
export interface BioLinkHealth {
  /**
   * Claims some links of public pages that weren't checked for a day, one of each page; nobody else gets them until the next day. `"none"`: none
   * is due.
   */
  due(now: Date): Promise<readonly { readonly id: string; readonly url: string }[] | "none">;
  note(id: string, url: string, state: Exclude<LinkState, "unknown">, now: Date): Promise<void>;
  failing(accountId: string, now: Date): Promise<readonly FailingLink[]>;
}
