import { lockToChange } from "../accounts/accounts.ts";
import type { NewId, ShareLink, ShareLinks } from "../../../ports.ts";
import { isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Database, type RowOf } from "../engine/statement.ts";
import { ofScript, scriptColumns, scriptRow } from "../transcripts/transcript-row.ts";
import { toScript } from "./scripts.ts";

const linkRow = {
  linkId: isText,
  token: isText,
  linkCreatedAt: isMoment,
  id: isText,
  handle: orNull(isText),
  language: isText,
  beginning: isText,
};
/** A list of links shows only the first words of each text, which may be long. */
const linkColumns =
  `l.id as link_id, l.token, l.created_at as link_created_at, s.id, t.handle, coalesce(c.language, t.language) as language,
    left(coalesce(c.text, t.text), 1000) as beginning` as const;

const countLinks = statement("select count(*) as links from share_link where account_id = :accountId").reading({
  links: isNumber,
});

const findLink = statement(`
  select ${linkColumns} from script as s ${ofScript} join share_link as l on l.script_number = s.number
  where s.account_id = :accountId and s.id = :scriptId`).reading(linkRow);

const createLink = statement(`
  insert into share_link (id, account_id, script_number, token, created_at)
  select :id, account_id, number, :token, :now::timestamptz from script where account_id = :accountId and id = :scriptId
  on conflict (script_number) do nothing returning id`);

const listLinks = statement(`
  select ${linkColumns}
  from share_link as l join script as s on s.number = l.script_number and s.account_id = l.account_id ${ofScript}
  where l.account_id = :accountId order by l.number desc`).reading(linkRow);

const revokeLink = statement("delete from share_link where account_id = :accountId and id = :id");

const openLink = statement(`
  select s.id, s.added_at, ${scriptColumns}
  from share_link as l join account as a on a.id = l.account_id
    join script as s on s.number = l.script_number and s.account_id = l.account_id ${ofScript}
  where l.token = :token and a.suspended_at is null`).reading(scriptRow);

/** Never reads from a replica, because a revoked link must not open anything. */
export const createShareLinks = (database: Database, newId: NewId): ShareLinks => ({
  create: ({ accountId, scriptId, token, most, now }) =>
    transaction(database, async (inside) => {
      if ((await lockToChange.run(inside, { accountId })) === 0) return "noScript";
      const existingLink = await findLink.row(inside, { accountId, scriptId });
      if (existingLink !== undefined) return toLink(existingLink);
      const counted = await countLinks.row(inside, { accountId });
      if ((counted?.links ?? 0) >= most) return "full";
      const createdCount = await createLink.run(inside, { id: newId("shr"), accountId, scriptId, token, now });
      if (createdCount === 0) return "noScript";
      const link = await findLink.row(inside, { accountId, scriptId });
      return link === undefined ? "noScript" : toLink(link);
    }),
  list: async (accountId) => (await listLinks.rows(database, { accountId })).map(toLink),
  revoke: async (accountId, id) => (await revokeLink.run(database, { accountId, id })) > 0,
  async open(token) {
    const row = await openLink.row(database, { token });
    return row && toScript(row);
  },
});

const toLink = (row: RowOf<typeof linkRow>): ShareLink => ({
  id: row.linkId,
  token: row.token,
  createdAt: row.linkCreatedAt,
  script: { id: row.id, handle: row.handle, language: row.language, beginning: row.beginning },
});
