import { ReportFindings } from "@reelscript/contract";
import type { Pool } from "pg";
import type { NewId, Report, Reports, ReportSummary } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

interface SummaryRow {
  id: string;
  handle: string;
  created_at: Date;
  reels_analyzed: number;
}

interface ReportRow extends SummaryRow {
  timezone: string;
  findings: unknown;
}

const summaryColumns = "id, handle, created_at, reels_analyzed";
const reportColumns = `${summaryColumns}, timezone, findings`;

/** One statement, so that a crash leaves both or neither; the row of the allowance lets racers in one by one. */
const addReport: Statement = {
  name: "add-report",
  text: `
    with counted as (
      insert into post_allowance as a (account_id, period, used)
      select $1::text, $2::text, $7::integer where $3::integer is null or $7::integer <= $3::integer
      on conflict (account_id, period) do update set used = a.used + excluded.used
        where $3::integer is null or a.used + excluded.used <= $3::integer
      returning account_id
    )
    insert into report (id, account_id, handle, created_at, reels_analyzed, timezone, findings)
    select $4, account_id, $5, $6, $7::integer, $8, $9::json from counted
    returning ${reportColumns}`,
};

const listReports = (goesOn: boolean): Statement => ({
  name: `list-reports${goesOn ? "-behind" : ""}`,
  text: `
    select ${summaryColumns}, number from report
    where account_id = $1 ${goesOn ? "and (created_at, number) < ($3::timestamptz, $4::bigint)" : ""}
    order by created_at desc, number desc limit $2::integer + 1`,
});
const newestReports = listReports(false);
const olderReports = listReports(true);

const findReport: Statement = {
  name: "find-report",
  text: `select ${reportColumns} from report where account_id = $1 and id = $2`,
};

const findNewestReport: Statement = {
  name: "find-newest-report",
  text: `
    select ${reportColumns} from report where account_id = $1 and handle = $2
    order by created_at desc, number desc limit 1`,
};

const postsUsed: Statement = {
  name: "posts-used",
  text: "select used from post_allowance where account_id = $1 and period = $2",
};

const toSummary = (row: SummaryRow): ReportSummary => ({
  id: row.id,
  handle: row.handle,
  createdAt: row.created_at,
  reelsAnalyzed: row.reels_analyzed,
});

const toReport = (row: ReportRow): Report => ({
  ...toSummary(row),
  timezone: row.timezone,
  findings: ReportFindings.parse(row.findings),
});

const storedHandle = (handle: string): string => storable(handle).replace(/^@/, "").toLowerCase();

export const createReports = (pool: Pool, newId: NewId): Reports => ({
  async add({ accountId, period, limit }, { handle, createdAt, reelsAnalyzed, timezone, findings }) {
    const [row] = await rowsOf<ReportRow>(pool, addReport, [
      accountId,
      period,
      limit,
      newId("rep"),
      storedHandle(handle),
      createdAt,
      reelsAnalyzed,
      storable(timezone),
      JSON.stringify(findings),
    ]);
    return row ? toReport(row) : "limitReached";
  },
  async list(accountId, { limit, after }) {
    const rows = await rowsOf<SummaryRow & { number: number }>(pool, after ? olderReports : newestReports, [
      storable(accountId),
      limit,
      ...(after ? [new Date(after.sortedBy ?? 0), after.number] : []),
    ]);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      reports: page.map(toSummary),
      ...(last && rows.length > limit && { next: { sortedBy: last.created_at.getTime(), number: last.number } }),
    };
  },
  async find(accountId, reportId) {
    const [row] = await rowsOf<ReportRow>(pool, findReport, [storable(accountId), storable(reportId)]);
    return row && toReport(row);
  },
  async findNewest(accountId, handle) {
    const [row] = await rowsOf<ReportRow>(pool, findNewestReport, [storable(accountId), storedHandle(handle)]);
    return row && toReport(row);
  },
  async postsUsed(accountId, period) {
    const [row] = await rowsOf<{ used: number }>(pool, postsUsed, [storable(accountId), period]);
    return row?.used ?? 0;
  },
});
