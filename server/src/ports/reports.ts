import type { ReportFindings, StoredReportMetrics } from "@reelscript/contract";
import type { ListPosition } from "./library.ts";

type ReportSummary = {
  readonly id: string;
  /** Lower case, without @. */
  readonly handle: string;
  readonly createdAt: Date;
  readonly reelsAnalyzed: number;
};

/** A report before it is stored. */
export interface NewReport {
  /** Lower case, without @. */
  readonly handle: string;
  readonly createdAt: Date;
  readonly reelsAnalyzed: number;
  /** IANA name. */
  readonly timezone: string;
  readonly findings: ReportFindings;
}

export interface Report extends NewReport {
  readonly id: string;
}

/** The requested page of a list of reports. */
export interface ReportsPage {
  readonly limit: number;
  readonly after?: ListPosition | undefined;
}

type ReportFigures = ReportSummary & {
  readonly metrics: StoredReportMetrics;
  /** The address of one of its reels; `null` where it has none. */
  readonly reelUrl: string | null;
};

/** The figures of the newest report of a handle. */
export interface OtherFigures {
  /** Lower case, without @. */
  readonly handle: string;
  readonly metrics: StoredReportMetrics;
}

/** How many more reels an account may have analyzed; counted for the account, whatever its keys. */
export interface PostAllowance {
  readonly accountId: string;
  /** Names the period in which reels are counted: `lifetime`, or the period's first moment. */
  readonly period: string;
  /** `null` when unlimited. */
  readonly limit: number | null;
}

/** A link that lets anybody read a report. */
export interface ReportLink {
  readonly id: string;
  readonly token: string;
  /** By the owner. */
  readonly title: string | null;
  readonly createdAt: Date;
  readonly reportId: string;
  readonly handle: string;
}

/** Links by which anybody may read one report, until they are revoked or the report or its account is removed. */
export interface ReportLinks {
  /** Returns the report's link, created unless it exists, with this title. No account ever has more than `most`. */
  create(request: {
    readonly accountId: string;
    readonly reportId: string;
    readonly token: string;
    readonly title: string | null;
    readonly most: number;
    readonly now: Date;
  }): Promise<ReportLink | "full" | "noReport">;
  /** The account's links, newest first. */
  list(accountId: string): Promise<readonly ReportLink[]>;
  /** Revokes the link immediately, in every process. False if the account has no such link. */
  revoke(accountId: string, id: string): Promise<boolean>;
  /** Finds the report of a token; `undefined` if its account is suspended. */
  open(token: string): Promise<{ readonly title: string | null; readonly report: Report } | undefined>;
}

/** Competitor reports. The account comes first in every call, so that nobody reaches another account's reports. */
export interface Reports {
  /**
   * Stores a report and counts its reels, in one step. `"limitReached"`, and nothing is written, if the quota would be
   * exceeded, under any concurrency. Calls with the same `id` store one report, and each returns it.
   */
  add(allowance: PostAllowance, report: NewReport, id?: string): Promise<Report | "limitReached">;
  /**
   * Newest first; of two at the same time the one added later. `next` is set if there are older ones, and `after` continues
   * there: pages never repeat or skip a report, whatever is added.
   */
  list(
    accountId: string,
    page: ReportsPage,
  ): Promise<{ readonly reports: ReportSummary[]; readonly next?: ListPosition | undefined }>;
  /** Like `list`, with the key figures of each report; with a handle only its reports. */
  listFigures(
    accountId: string,
    page: ReportsPage & { readonly handle?: string | undefined },
  ): Promise<{ readonly reports: ReportFigures[]; readonly next?: ListPosition | undefined }>;
  find(accountId: string, reportId: string): Promise<Report | undefined>;
  /** The newest report of a handle, which is compared without case and without a leading @. */
  findNewest(accountId: string, handle: string): Promise<Report | undefined>;
  /** The figures of the newest report of each other handle, among the account's newest 500 reports. */
  listOthers(accountId: string, handle: string): Promise<readonly OtherFigures[]>;
  /** False if there was none. Its reels stay counted; stored responses for repeated requests that contain it are deleted. */
  remove(accountId: string, reportId: string): Promise<boolean>;
  /** Reels counted in the period. */
  postsUsed(accountId: string, period: string): Promise<number>;
}
