import { setImmediate } from "node:timers/promises";
import { cutText, ServiceError, type ReelCollection, type ReportFindings } from "@reelscript/contract";
import { describeReport, type DescribedReport } from "../../describe/report/describe-report.ts";
import type { Clock, LongWork, Reports, Scripts, ScriptRow, TablePosition, Transcript } from "../../ports.ts";
import { pack } from "../../run/schemas.ts";
import { isSettled } from "../../statistics/sample.ts";

/** Scripts that one report reads, those in memory at a time, and characters that are read of each. */
export const mostSpoken = 1_000;
const spokenAtOnce = 100;
export const longestSpoken = 10_000;

interface LibraryReportNeeds {
  readonly reports: Reports;
  readonly scripts: Scripts;
  readonly clock: Clock;
  readonly longWork: LongWork;
}

interface LibraryReportRequest {
  /** With or without @. */
  readonly handle: string;
  /** IANA name; by default that of the account's newest report, or UTC. */
  readonly timezone: string | undefined;
}

/**
 * Draws a report from the scripts of a handle, which have captions, counts and dates. It isn't stored, and counts no reels, because
 * they were counted when they were transcribed. Throws `notFound` without a script.
 */
export async function libraryReport(
  needs: LibraryReportNeeds,
  accountId: string,
  { handle, timezone }: LibraryReportRequest,
): Promise<DescribedReport> {
  const { reports, clock, longWork } = needs;
  const name = handle.replace(/^@/, "").toLowerCase();
  const { reels, spoken, missing } = await reelsInLibrary(needs.scripts, accountId, name);
  if (reels.length === 0)
    throw new ServiceError("notFound", `Your library has no script of @${name}. Transcribe some of its reels first.`);
  const zone = timezone ?? (await reports.findNewest(accountId, name))?.timezone;
  const collectedAt = clock.now();
  const { report } = await longWork(
    "makeReport",
    {
      collection: { handle: name, collectedAt: collectedAt.toISOString(), reels: pack(reels) },
      timezone: zone ?? "UTC",
      collectedAt,
      mostReels: null,
      spoken,
    },
    accountId,
  );
  const drawn = { id: `@${name}`, ...report!, findings: ofSomeReels(report!.findings) }; // safe: without a limit there is one
  const described = describeReport(drawn);
  const sentences = [...missing, ...(zone === undefined ? [noTimezone] : [])];
  return {
    ...described,
    missing: sentences,
    insights: [...described.insights, ...sentences],
  };
}

const noTimezone = "Posting times are in UTC, because no time zone of the audience is known.";

interface ReelsInLibrary {
  readonly reels: ReelCollection["reels"];
  /** By URL; empty without speech. */
  readonly spoken: Readonly<Record<string, string>>;
  /** Sentences on what a collection of the account's reels would have in addition. */
  readonly missing: readonly string[];
}

async function reelsInLibrary(scripts: Scripts, accountId: string, handle: string): Promise<ReelsInLibrary> {
  const rows: ScriptRow[] = [];
  let position: TablePosition | undefined;
  do {
    const page = await scripts.table(accountId, { handle, sort: "posted", limit: spokenAtOnce }, position);
    rows.push(...page.scripts.slice(0, mostSpoken - rows.length).map(shortened));
    position = page.next;
    // Short scripts are read without a pause otherwise.
    await setImmediate();
  } while (position !== undefined && rows.length < mostSpoken);
  const platform = mostFrequent(rows.map(({ transcript }) => transcript.reel.platform));
  const transcripts = rows.flatMap(({ transcript }) => (transcript.reel.platform === platform ? [transcript] : []));
  const early = transcripts.filter((transcript) => !isReadLate(transcript));
  return {
    reels: transcripts.map(collected),
    spoken: Object.fromEntries(transcripts.map(({ reel, text }) => [reel.url, text])),
    missing: missingSentences({
      handle,
      reels: transcripts.length,
      early: early.length,
      otherPlatforms: rows.length - transcripts.length,
      isCut: position !== undefined,
    }),
  };
}

const shortened = (row: ScriptRow): ScriptRow => ({
  ...row,
  transcript: { ...row.transcript, text: cutText(row.transcript.text, longestSpoken) },
});

/** True if the counts were read when they had settled. */
const isReadLate = ({ reel: { platform, postedAt }, createdAt }: Transcript): boolean =>
  isSettled({ platform, postedAt: postedAt === null ? null : new Date(postedAt) }, createdAt);

/** A reel as its transcript has it. Counts that were read too early say nothing of those that it has by now. */
function collected(transcript: Transcript): ReelCollection["reels"][number] {
  const { url, caption, views, likes, comments, postedAt, durationSeconds } = transcript.reel;
  const counts = isReadLate(transcript) ? { views, likes, comments } : {};
  return { url, caption, ...counts, postedAt, durationSeconds };
}

/** The most frequent value; the first of equally frequent ones. */
function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

/**
 * Findings on the reels that somebody chose to transcribe. They aren't all reels of the account, so they say nothing of how often
 * it posts, what follows from that, and what its next reel will get.
 */
function ofSomeReels(allFindings: ReportFindings): ReportFindings {
  const { nextReel: _, ...findings } = allFindings;
  const { metrics, comparisons, steady } = findings;
  const intervals = Object.entries(findings.intervals ?? {}).filter(
    ([name, interval]) => interval !== undefined && name !== "postingFrequencyPerWeek",
  );
  const needsAll = new Set(["pause", "repost"]);
  return {
    ...findings,
    metrics: { ...metrics, postingFrequencyPerWeek: 0 },
    intervals: Object.fromEntries(intervals),
    comparisons: comparisons
      ?.filter(({ kind }) => !needsAll.has(kind))
      .map((one) => ({ ...one, also: one.also?.filter(({ kind }) => !needsAll.has(kind)) })),
    steady: steady?.filter(({ kind }) => kind !== "postingOften"),
  };
}

const whole = new Intl.NumberFormat("en-US");
const counted = (count: number, one: string, many: string): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

interface Missing {
  readonly handle: string;
  readonly reels: number;
  /** Reels whose counts were read before they had settled. */
  readonly early: number;
  readonly otherPlatforms: number;
  /** True if there are more scripts than are read. */
  readonly isCut: boolean;
}

const missingSentences = ({ handle, reels, early, otherPlatforms, isCut }: Missing): string[] => [
  `Drawn from ${counted(reels, "reel", "reels")} of @${handle} in your library. Its other reels are missing, so this report doesn't say how often it posts or what its next reel will get.`,
  "Counts are from the day on which each reel was transcribed, and followers are missing.",
  ...(early === 0
    ? []
    : [
        `${counted(early, "reel was", "reels were")} transcribed so soon after posting that ${early === 1 ? "its" : "their"} counts aren't used.`,
      ]),
  ...(otherPlatforms === 0
    ? []
    : [
        `${counted(otherPlatforms, "script", "scripts")} of the same handle on another platform ${otherPlatforms === 1 ? "isn't" : "aren't"} used.`,
      ]),
  ...(isCut ? [`Only the ${whole.format(mostSpoken)} newest reels in your library are used.`] : []),
];
