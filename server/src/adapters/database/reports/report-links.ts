import type { NewId, ReportLink, ReportLinks } from "../../../ports.ts";
import { lockToChange } from "../accounts/accounts.ts";
import { isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database, type RowOf } from "../engine/statement.ts";
import { reportColumns, reportRow, toReport } from "./reports.ts";

const linkRow = {
  id: isText,
  token: isText,
  title: orNull(isText),
  createdAt: isMoment,
  reportId: isText,
  handle: isText,
};
const linkColumns = "l.id, l.token, l.title, l.created_at, r.id as report_id, r.handle";

const countLinks = statement("select count(*) as links from report_link where account_id = :accountId").reading({
  links: isNumber,
});

const findLink = statement(`
  select ${linkColumns} from report_link as l join report as r on r.number = l.report_number
  where r.account_id = :accountId and r.id = :reportId`).reading(linkRow);

const createLink = statement(`
  insert into report_link (id, account_id, report_number, token, title, created_at)
  select :id, account_id, number, :token, :title::text, :now::timestamptz from report
  where account_id = :accountId and id = :reportId
  on conflict (report_number) do nothing returning id`);

const renameLink = statement("update report_link set title = :title::text where account_id = :accountId and id = :id");

const listLinks = statement(`
  select ${linkColumns} from report_link as l join report as r on r.number = l.report_number
  where l.account_id = :accountId order by l.number desc`).reading(linkRow);

const revokeLink = statement("delete from report_link where account_id = :accountId and id = :id");

const openLink = statement(`
  select title, ${reportColumns}
  from report join (
    select l.report_number, l.title from report_link as l join account as a on a.id = l.account_id
    where l.token = :token and a.suspended_at is null
  ) as link on link.report_number = report.number`).reading({ title: orNull(isText), ...reportRow });

/** Never reads from a replica, because a revoked link must not open anything. */
export const createReportLinks = (database: Database, newId: NewId): ReportLinks => ({
  create: ({ accountId, reportId, token, title, most, now }) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return "noReport";
      const before = await findLink.row(inside, { accountId, reportId });
      if (before !== undefined) {
        await renameLink.run(inside, { accountId, id: before.id, title });
        return toLink({ ...before, title });
      }
      const counted = await countLinks.row(inside, { accountId });
      if ((counted?.links ?? 0) >= most) return "full";
      const added = await createLink.run(inside, { id: newId("rpl"), accountId, reportId, token, title, now });
      const link = added === 0 ? undefined : await findLink.row(inside, { accountId, reportId });
      return link === undefined ? "noReport" : toLink(link);
    }),
  list: async (accountId) => (await listLinks.rows(database, { accountId })).map(toLink),
  revoke: async (accountId, id) => (await revokeLink.run(database, { accountId, id })) > 0,
  async open(token) {
    const row = await openLink.row(database, { token });
    return row && { title: row.title, report: toReport(row) };
  },
});

const toLink = (row: RowOf<typeof linkRow>): ReportLink => ({
  id: row.id,
  token: row.token,
  title: row.title,
  createdAt: row.createdAt,
  reportId: row.reportId,
  handle: row.handle,
});
