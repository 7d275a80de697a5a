import type { Comparison, CompetitorReport, ReelCollection } from "@reelscript/contract";
import { median, numbers } from "../statistics.ts";
import {
  collectionOf,
  followBestHour,
  followPlan,
  judgeClaims,
  shuffledCounts,
  splitByTime,
  type Followed,
  type JudgedClaim,
  type MakeReport,
} from "./held-out.ts";

const shufflesOfAccount = 2;

/** How the claims of one kind held. Shares are of 1, and `NaN` where nothing could be judged. */
interface Verdict {
  readonly name: string;
  readonly claims: number;
  readonly judged: number;
  readonly right: number;
  readonly within: number;
  readonly rightRaw: number;
  readonly withinRaw: number;
  /** Medians of the ratios that were shown and found, both turned above 1 by what was shown. */
  readonly shown: number;
  readonly found: number;
}

export interface Judgment {
  readonly accounts: number;
  readonly posts: number;
  readonly withClaim: number;
  /** Accounts with a claim that isn't a trend. */
  readonly withContent: number;
  readonly verdicts: readonly Verdict[];
  readonly shuffled: number;
  readonly shuffledWithClaim: number;
  readonly plan: readonly Followed[];
  readonly bestHour: readonly Followed[];
  readonly plans: number;
}

const kindOf = ({ comparison: { kind, outcome = "views" } }: JudgedClaim): string =>
  kind === "views" || kind === "engagement"
    ? `trend of ${outcome}`
    : `${kind}${outcome === "engagement" ? " on engagement" : ""}`;
const isTrend = (name: string): boolean => name.startsWith("trend");

/** Makes reports on the first 60 % of each account's posts, and judges them by the rest. */
export function judgeAccounts(collections: readonly ReelCollection[], makeReport: MakeReport): Judgment {
  const accounts = collections.flatMap((one) => splitByTime(one) ?? []);
  const random = numbers(20_261_120);
  const claims: JudgedClaim[] = [];
  const plan: Followed[] = [];
  const bestHour: Followed[] = [];
  let withClaim = 0;
  let withContent = 0;
  let shuffledWithClaim = 0;
  let plans = 0;
  for (const account of accounts) {
    const report = makeReport(collectionOf(account.collection, account.before));
    const judged = judgeClaims(account, report);
    claims.push(...judged);
    withClaim += Number(judged.length > 0);
    withContent += Number(judged.some((one) => !isTrend(kindOf(one))));
    plans += Number(report.advice.length > 0);
    plan.push(...[followPlan(account, report)].filter((one) => one !== undefined));
    bestHour.push(...[followBestHour(account)].filter((one) => one !== undefined));
    for (let shuffle = 0; shuffle < shufflesOfAccount; shuffle += 1)
      shuffledWithClaim += Number(
        hasClaim(makeReport(collectionOf(account.collection, shuffledCounts(account, random)))),
      );
  }
  const names = [...new Set(claims.map(kindOf))].toSorted();
  const some = (name: string, counts: (claim: JudgedClaim) => boolean): Verdict =>
    verdictOf(name, claims.filter(counts));
  return {
    accounts: accounts.length,
    posts: accounts.reduce((sum, { before, after }) => sum + before.length + after.length, 0),
    withClaim,
    withContent,
    verdicts: [
      some("all", () => true),
      some("content and time", (one) => !isTrend(kindOf(one))),
      some("sure", ({ comparison }) => comparison.sureness === "sure"),
      some("fairly sure", ({ comparison }) => comparison.sureness === "fairly sure"),
      ...names.map((name) => some(name, (one) => kindOf(one) === name)),
    ],
    shuffled: shufflesOfAccount * accounts.length,
    shuffledWithClaim,
    plan,
    bestHour,
    plans,
  };
}

const hasClaim = ({ comparisons = [] }: CompetitorReport): boolean => comparisons.some(({ clear }) => clear);

function verdictOf(name: string, claims: readonly JudgedClaim[]): Verdict {
  const shares = (which: "detrended" | "raw") => {
    const judged = claims.filter((one) => one[which] !== undefined);
    const share = (holds: (comparison: Comparison, ratio: number) => boolean): number =>
      judged.filter((one) => holds(one.comparison, one[which]!)).length / judged.length;
    return {
      right: share(({ times }, ratio) => times > 1 === ratio > 1),
      within: share(({ low, high }, ratio) => ratio >= low && ratio <= high),
    };
  };
  const judged = claims.filter(({ detrended }) => detrended !== undefined);
  const above = ({ comparison: { times } }: JudgedClaim, ratio: number): number => (times > 1 ? ratio : 1 / ratio);
  const middle = (ratios: readonly number[]): number => (ratios.length === 0 ? Number.NaN : median(ratios));
  const detrended = shares("detrended");
  const raw = shares("raw");
  return {
    name,
    claims: claims.length,
    judged: judged.length,
    right: detrended.right,
    within: detrended.within,
    rightRaw: raw.right,
    withinRaw: raw.within,
    shown: middle(judged.map((one) => above(one, one.comparison.times))),
    found: middle(judged.map((one) => above(one, one.detrended!))),
  };
}
