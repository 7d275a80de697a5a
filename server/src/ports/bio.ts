import type { BioContent, BioLink, deviceNames } from "@reelscript/contract";

export interface StoredBioPage {
  /** Names the page in events, whatever its handle; `undefined` before the first change. */
  readonly id: string | undefined;
  readonly handle: string | null;
  readonly content: BioContent;
  /** 0 before the first change; rises by one with each. */
  readonly revision: number;
  readonly updatedAt: Date | null;
  /** When the operator took it down; `null` while everybody may see it. */
  readonly takenDownAt: Date | null;
}

interface BioRevision {
  readonly revision: number;
  readonly content: BioContent;
  readonly changedAt: Date | null;
}

export interface BioPages {
  /** The empty page of revision 0 when the account never changed it. */
  read(accountId: string): Promise<StoredBioPage>;
  /** The content of a revision; the last `keptBioRevisions` are kept, the present one and revision 0 among them. */
  readRevision(accountId: string, revision: number): Promise<BioContent | undefined>;
  /** The newest revisions first, as many as `limit`. The moment of a change is unknown for those of earlier releases. */
  listRevisions(accountId: string, limit: number): Promise<readonly BioRevision[]>;
  /** Returns the ids that belong to a link in a kept revision. */
  keptLinks(accountId: string, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Changes the page under a lock: changes of one page follow one another, each `decide` sees what the one before it wrote.
   * `decide` answers the new content, or `undefined` to leave all as it is; what it throws is thrown on, and nothing is written.
   */
  change(accountId: string, decide: (page: StoredBioPage) => BioContent | undefined, now: Date): Promise<StoredBioPage>;
  /**
   * Gives the page a handle, or none. `handle` is in small letters and of the right shape. No two accounts have the same
   * handle, under any concurrency. The former handle is kept for the account for `bioHandleLimits.keptDays`: until then others
   * find it taken, and the account may have it back. `"taken"`: another account has it, or it is kept, for another account or
   * for nobody because its account was removed; `"tooOften"`: `bioHandleLimits.kept` others are kept for the account already.
   * Giving up is always possible. Makes no revision.
   */
  claimHandle(accountId: string, handle: string | null, now: Date): Promise<StoredBioPage | "taken" | "tooOften">;
  /** Whether the account could claim a handle now; `"yours"`: its page has it, or it is kept for the account. */
  handleState(accountId: string, handle: string, now: Date): Promise<"free" | "yours" | "taken">;
}

/**
 * The result of resolving a handle. `takenDown`: the operator took the page down. `kept`: its account gave the handle up
 * or was removed, and no other account may have it yet. `free`: no account has it.
 */
type BioAddress =
  | { readonly kind: "page"; readonly bioId: string; readonly revision: number }
  | { readonly kind: "moved"; readonly handle: string }
  | { readonly kind: "takenDown" | "kept" | "free" };

/** Reads published bio pages at claimed addresses, without signing in. */
export interface PublicBioPages {
  /** Cheap. `handle` is in small letters. A former handle leads to the present one, however many there were between. */
  resolve(handle: string, now: Date): Promise<BioAddress>;
  /** `undefined` when the page was removed. */
  read(bioId: string): Promise<StoredBioPage | undefined>;
  /** A link as its page has it now; `undefined` when the page has no address or no longer has the link. */
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

/** A page whose owner wants it in the sitemap, and that everybody may see. */
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
  /** The ids with which groups of so many pages begin, at most `most`. A group may have fewer pages that everybody may see. */
  groups(size: number, most: number): Promise<string[]>;
  /** Reads pages with `from` <= id < `before` and id > `after`. */
  read(range: BioPageRange, limit: number): Promise<ListedBioPage[]>;
}

/** A view (`linkId` null) or click by a person. */
export interface BioVisit {
  readonly bioId: string;
  readonly linkId: string | null;
  /** 8 bytes that tell the visitors of a day apart and cannot be led back to anybody. */
  readonly visitor: Uint8Array;
  readonly at: Date;
  /** The host of the referring site, or the source that the link names. */
  readonly referrer: string | null;
  /** Two capital letters. */
  readonly country: string | null;
  readonly device: (typeof deviceNames)[number];
}

/** `floods`: more than people of one network can do. */
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
  /** No two of one visitor's clicks on one link. */
  readonly visits: readonly BioVisit[];
  /** One of each page, reason and day. */
  readonly excluded: readonly ExcludedRequests[];
}

/**
 * `repeated`: the visitor clicked this link within the hour before, which is exact under any concurrency.
 * `unknown`: the page doesn't exist or doesn't have the link.
 */
export type BioOutcome = "counted" | "repeated" | "unknown";

/** All days are of UTC, written `2026-05-01`. */
export interface BioFigures {
  /** The day on which the page was made; null without one. */
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
  /** Views, most first; at most 50. Days that ended 48 hours ago keep only their 50 sites with the most views apart. */
  readonly referrers: readonly { readonly host: string | null; readonly views: number }[];
  readonly countries: readonly { readonly country: string | null; readonly views: number }[];
  readonly devices: readonly { readonly device: (typeof deviceNames)[number]; readonly views: number }[];
  readonly excluded: Readonly<Record<BioExclusion, number>>;
}

export interface BioEvents {
  /** The salt of a day, the same for every process, thrown away an hour after it; `fresh` becomes it when the day has none. */
  saltOf(day: string, fresh: Uint8Array): Promise<Uint8Array>;
  /**
   * Writes a batch, all of it or nothing, and returns the outcome of each visit, in order. A batch that was written before
   * changes nothing and returns nothing. Counts of unknown pages are left out.
   */
  write(batch: BioBatch, now: Date): Promise<readonly BioOutcome[]>;
  /**
   * The figures of an account's page: `daily` from `earliest` to `to`, all others from `from` to `to`, whole days, both
   * ends included. All of one moment.
   */
  read(
    accountId: string,
    days: { readonly earliest: string; readonly from: string; readonly to: string },
  ): Promise<BioFigures>;
  /**
   * Adds some thousands of the oldest events to daily totals and throws them away, once they are an hour old or many; then
   * forgets visitors and rare referrers of days that ended 48 hours ago or more. False when nothing is left or another
   * process is at it. `read` answers the same before and after, but for rare referrers. The visitor of an event that comes
   * later than that is counted as a new one.
   */
  fold(now: Date): Promise<boolean>;
}

/** Every image is kept in these forms. */
export const imageForms = ["large.webp", "large.jpg", "small.webp", "small.jpg"] as const;
export type ImageForm = (typeof imageForms)[number];

/** An image redrawn: without metadata, upright, large at most 1600 and small at most 640 pixels wide and high. */
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

/** Images that people bring. What it throws of the image is a `ServiceError` whose message begins in small letters. */
export interface ImageSource {
  /** Downloads at most `bioLimits.imageBytes` from a public https URL. Throws `invalidRequest`, or the signal's reason. */
  fetch(url: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Takes still JPEG, PNG, WebP and AVIF of at most `bioLimits.imageMegapixels`, AVIF of fewer and without transparency, one
   * of an account at a time. Throws `invalidRequest`, `rateLimited` when too many of the account wait, `unavailable` when too
   * many of all do.
   */
  draw(accountId: string, bytes: Uint8Array, crop?: Crop): Promise<DrawnImage>;
}

/** The images of bio pages, each an account's own. */
export interface BioImages {
  /** The image's id, the same for the same image of an account; `undefined` when the account has `bioLimits.images`. */
  keep(accountId: string, image: DrawnImage, now: Date): Promise<string | undefined>;
  /** Returns the ids that belong to the account's images. */
  owned(accountId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Anyone may read an image. */
  read(id: string, form: ImageForm): Promise<Uint8Array | undefined>;
}

/**
 * `gone`: the host says that there is nothing (404, 410). `unresolved`: there is no such host on the public internet.
 * `unknown`: whatever else went wrong, which may be ours or pass.
 */
export type LinkState = "fine" | "gone" | "unresolved" | "unknown";

/** Asks for a link of the public web once, following redirects, within seconds. Throws only the reason of the signal. */
export type ProbeLink = (url: string, signal: AbortSignal) => Promise<LinkState>;

/** A link that failed at every look for a day or longer. */
type FailingLink = {
  readonly id: string;
  readonly url: string;
  readonly problem: Extract<LinkState, "gone" | "unresolved">;
  readonly since: Date;
};

/** Checks the links of public pages, so that owners learn which ones are dead. */
export interface BioLinkHealth {
  /** Claims some links of public pages that weren't checked for a day; nobody else gets them before tomorrow. `"none"`: none is due. */
  due(now: Date): Promise<readonly { readonly id: string; readonly url: string }[] | "none">;
  note(id: string, url: string, state: Exclude<LinkState, "unknown">, now: Date): Promise<void>;
  failing(accountId: string, now: Date): Promise<readonly FailingLink[]>;
}
