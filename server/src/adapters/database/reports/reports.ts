import { ReportFindings, StoredReportMetrics } from "@reelscript/contract";
import type { NewId, Report, Reports, ReportsPage } from "../../../ports.ts";
import { isAnything, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { ReadRoute } from "../engine/server/read-route.ts";
import { columnsOf, jsonOf, statement, type Database, type RowOf, type Statement } from "../engine/statement.ts";
import { codeOf } from "../engine/unavailable.ts";

const reportSummaryRow = { id: isText, handle: isText, createdAt: isMoment, reelsAnalyzed: isNumber };

export const reportRow = { ...reportSummaryRow, timezone: isText, findings: isAnything };

export const reportColumns = "id, handle, created_at, reels_analyzed, timezone, findings";

export const toReport = (row: RowOf<typeof reportRow>): Report => ({
  id: row.id,
  handle: row.handle,
  createdAt: row.createdAt,
  reelsAnalyzed: row.reelsAnalyzed,
  timezone: row.timezone,
  findings: ReportFindings.parse(row.findings),
});

const summaryColumns = "id, handle, created_at, reels_analyzed";

/**
 * One statement, so that a crash leaves both or neither; the row of the allowance serializes concurrent statements. If they
 * have the same id, all but the first violate its uniqueness.
 */
const addReport = statement(`
  with report_before as (select ${reportColumns} from report where account_id = :accountId and id = :id),
  counted as (
    insert into post_allowance as a (account_id, period, used)
    select :accountId::text, :period::text, :reelsAnalyzed::integer
    where not exists (select from report_before) and (:limit::integer is null or :reelsAnalyzed::integer <= :limit::integer)
    on conflict (account_id, period) do update set used = a.used + excluded.used
      where :limit::integer is null or a.used + excluded.used <= :limit::integer
    returning account_id
  ),
  added as (
    insert into report (id, account_id, handle, created_at, reels_analyzed, timezone, findings)
    select :id, account_id, :handle, :createdAt, :reelsAnalyzed::integer, :timezone, :findings::json from counted
    returning ${reportColumns}
  )
  select ${reportColumns} from report_before union all select ${reportColumns} from added`).reading(reportRow);

const listedRow = { ...reportSummaryRow, number: isNumber };
const figuresRow = { ...listedRow, metrics: isAnything, reelUrl: orNull(isText) };

/** Without a position, starts with the newest report; without a handle, lists reports of all. */
const selectPage = <const Columns extends string>(columns: Columns) =>
  statement(`
    select ${columns}, number from report
    where account_id = :accountId and (:handle::text is null or handle = :handle)
      and (created_at, number) < (coalesce(:createdAt::timestamptz, 'infinity'), coalesce(:number::bigint, 0))
    order by created_at desc, number desc limit :limit::integer + 1`);

const listReports = selectPage(summaryColumns).reading(listedRow);

const listFigures = selectPage(`${summaryColumns}, metrics, reel_url`).reading(figuresRow);

/** Reads only the newest reports, so that an account with thousands of them doesn't wait long for one. */
const listOthers = statement(`
  select distinct on (handle) handle, metrics
  from (
    select handle, created_at, number, metrics from report
    where account_id = :accountId order by created_at desc, number desc limit :limit::integer
  ) newest
  where handle <> :handle
  order by handle, created_at desc, number desc`).reading({ handle: isText, metrics: isAnything });

/** Number of newest reports that are searched for other accounts. */
const mostOthers = 500;

const findReport = statement(`select ${reportColumns} from report where account_id = :accountId and id = :id`).reading(
  reportRow,
);

const findNewestReport = statement(`
  select ${reportColumns} from report where account_id = :accountId and handle = :handle
  order by created_at desc, number desc limit 1`).reading(reportRow);

/**
 * Counts as a change of the account's content, so that replicas aren't used before they have it. Kept answers are searched as
 * text: they may contain characters that the database can't read in any other way.
 */
const removeReport = statement(`
  with removed as (delete from report where account_id = :accountId and id = :id returning account_id),
  forgotten as (
    delete from idempotent_answer a using removed
    where a.account_id = removed.account_id and position('"' || :id || '"' in a.output::text) > 0
  )
  select removed.account_id from removed, lateral change_content(removed.account_id, 0)`);

const postsUsed = statement(
  "select used from post_allowance where account_id = :accountId and period = :period",
).reading({ used: isNumber });

const uniqueViolation = "23505";

const storedHandle = (handle: string): string => handle.replace(/^@/, "").toLowerCase();

export const createReports = (database: Database, newId: NewId, reads: ReadRoute): Reports => ({
  async add(allowance, report, id = newId("rep")) {
    const values = {
      id,
      accountId: allowance.accountId,
      period: allowance.period,
      limit: allowance.limit,
      handle: storedHandle(report.handle),
      createdAt: report.createdAt,
      reelsAnalyzed: report.reelsAnalyzed,
      timezone: report.timezone,
      findings: jsonOf(report.findings),
    };
    const first = await addReport.row(database, values).catch((error: unknown) => {
      if (codeOf(error) === uniqueViolation) return undefined;
      throw error;
    });
    // The loser of a race sees the winner's report only now.
    const row = first ?? (await addReport.row(database, values));
    return row ? toReport(row) : "limitReached";
  },
  async list(accountId, page) {
    const { rows, ...rest } = await readPage(reads, accountId, listReports, page, null);
    return { reports: rows.map((row) => columnsOf(row, reportSummaryRow)), ...rest };
  },
  async listFigures(accountId, { handle, limit, after }) {
    const ofHandle = handle === undefined ? null : storedHandle(handle);
    const { rows, ...rest } = await readPage(reads, accountId, listFigures, { limit, after }, ofHandle);
    const reports = rows.map((row) => ({
      ...columnsOf(row, reportSummaryRow),
      metrics: StoredReportMetrics.parse(row.metrics),
      reelUrl: row.reelUrl,
    }));
    return { reports, ...rest };
  },
  async find(accountId, reportId) {
    const row = await reads.read(accountId, (on) => findReport.row(on, { accountId, id: reportId }));
    return row && toReport(row);
  },
  async findNewest(accountId, handle) {
    const values = { accountId, handle: storedHandle(handle) };
    const row = await reads.read(accountId, (on) => findNewestReport.row(on, values));
    return row && toReport(row);
  },
  async listOthers(accountId, handle) {
    const values = { accountId, handle: storedHandle(handle), limit: mostOthers };
    const rows = await reads.read(accountId, (on) => listOthers.rows(on, values));
    return rows.map((row) => ({ handle: row.handle, metrics: StoredReportMetrics.parse(row.metrics) }));
  },
  remove: async (accountId, reportId) => (await removeReport.run(database, { accountId, id: reportId })) > 0,
  postsUsed: async (accountId, period) => (await postsUsed.row(database, { accountId, period }))?.used ?? 0,
});

/** One page of a list, and the position of the next. */
async function readPage<Row extends RowOf<typeof listedRow>>(
  reads: ReadRoute,
  accountId: string,
  list: Statement<"accountId" | "handle" | "limit" | "createdAt" | "number", Row>,
  { limit, after }: ReportsPage,
  handle: string | null,
) {
  const createdAt = after ? new Date(after.sortedBy ?? 0) : null;
  const values = { accountId, handle, limit, createdAt, number: after?.number ?? null };
  const rows = await reads.read(accountId, (on) => list.rows(on, values));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    rows: page,
    ...(last && rows.length > limit && { next: { sortedBy: last.createdAt.getTime(), number: last.number } }),
  };
}
