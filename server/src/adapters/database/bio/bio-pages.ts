import { BioContent, keptBioRevisions } from "@reelscript/contract";
import type { BioPages, NewId, StoredBioPage } from "../../../ports.ts";
import { claimHandle, handleState } from "./bio-handles.ts";
import { lockAccount } from "../accounts/accounts.ts";
import { advisoryLock } from "../engine/advisory-lock.ts";
import type { Engine } from "../engine/engine.ts";
import { isAnything, isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { readBioContent } from "./read-bio-content.ts";
import { statement, transaction, type RowOf, type Transaction, jsonOf } from "../engine/statement.ts";

export const bioPageColumns = "id, handle, revision, content, updated_at, taken_down_at";
export const bioPageRow = {
  id: isText,
  handle: orNull(isText),
  revision: isNumber,
  content: isAnything,
  updatedAt: orNull(isMoment),
  takenDownAt: orNull(isMoment),
};

const readPage = statement(`select ${bioPageColumns} from bio_page where account_id = :accountId`).reading(bioPageRow);
const lockPage = statement(`select ${bioPageColumns} from bio_page where account_id = :accountId for update`).reading(
  bioPageRow,
);

/** A page begins with its revision 0, so that the first change can be undone like any other. */
const beginPage = statement(`
  with begun as (
    insert into bio_page (id, account_id, content, created_at) values (:id, :accountId, :content, :now)
    on conflict (account_id) do nothing returning id, revision, content
  )
  insert into bio_revision (bio_id, revision, content) select id, revision, content from begun`);

const writePage = statement(`
  with written as (
    update bio_page set revision = revision + 1, content = :content, updated_at = :now where id = :id returning ${bioPageColumns}
  ), revision_copy as (
    insert into bio_revision (bio_id, revision, content, changed_at) select id, revision, content, updated_at from written
  ), forgotten as (
    delete from bio_revision using written
    where bio_id = written.id and bio_revision.revision <= written.revision - :kept::integer
  )
  select ${bioPageColumns} from written`).reading(bioPageRow);

const keepLinks = statement(`
  insert into bio_link (id, bio_id, title, url)
  select link.id, :bioId, link.title, link.url
  from unnest(:ids::text[], :titles::text[], :urls::text[]) with ordinality as link (id, title, url, position)
  order by link.position
  on conflict (id) do update set title = excluded.title, url = excluded.url, deleted_at = null
  where bio_link.bio_id = excluded.bio_id`);

const markDeletedLinks = statement(
  "update bio_link set deleted_at = :now where bio_id = :bioId and deleted_at is null and id <> all(:ids::text[])",
);

/** Deletes removed links that no figure shows. Restoring a revision brings them back. */
const removeUnclickedLinks = statement(`
  delete from bio_link as l where l.bio_id = :bioId and l.deleted_at is not null
    and not exists (select from bio_event where link_id = l.id)
    and (
      not exists (select from bio_day_link where link_id = l.id)
      or l.number <= (
        select number from bio_link where bio_id = :bioId and deleted_at is not null order by number desc offset :kept limit 1
      )
    )`);
/** Deleted links kept per page; the clicks of older ones stay in its totals. */
const keptDeletedLinks = 500;

const readRevision = statement(`
  select r.content from bio_revision as r join bio_page as p on p.id = r.bio_id
  where p.account_id = :accountId and r.revision = :revision`).reading({ content: isAnything });

const listRevisions = statement(`
  select r.revision, r.content, r.changed_at from bio_revision as r join bio_page as p on p.id = r.bio_id
  where p.account_id = :accountId order by r.revision desc limit :limit::integer`).reading({
  revision: isNumber,
  content: isAnything,
  changedAt: orNull(isMoment),
});

const readKeptLinks = statement(`
  select distinct link ->> 'id' as id
  from bio_revision as r join bio_page as p on p.id = r.bio_id, json_array_elements(r.content -> 'links') as link
  where p.account_id = :accountId and link ->> 'id' = any(:ids::text[])`).reading({ id: isText });

type PageRow = RowOf<typeof bioPageRow>;

export const toPage = (row: PageRow, content = readBioContent(row.content)): StoredBioPage => ({
  ...row,
  content,
});

const emptyPage = (): StoredBioPage => ({
  id: undefined,
  handle: null,
  content: BioContent.parse({}),
  revision: 0,
  updatedAt: null,
  takenDownAt: null,
});

/** Creates the account's page if it has none. */
async function begin(inside: Transaction, newId: NewId, accountId: string, now: Date): Promise<void> {
  const content = jsonOf(emptyPage().content);
  await beginPage.run(inside, { id: newId("bio"), accountId, content, now });
}

const markTakenDown = statement(
  "update bio_page set taken_down_at = coalesce(taken_down_at, :takenDownAt) where account_id = :accountId",
);

/** For somebody whose earlier page was taken down. */
export async function beginTakenDownPage(
  inside: Transaction,
  newId: NewId,
  { accountId, takenDownAt, now }: { readonly accountId: string; readonly takenDownAt: Date; readonly now: Date },
): Promise<void> {
  await begin(inside, newId, accountId, now);
  await markTakenDown.run(inside, { accountId, takenDownAt });
}

export function createBioPages({ pool: database, signals }: Engine, newId: NewId): BioPages {
  const changed = <Outcome>(outcome: Outcome): Outcome => {
    signals.announce("bioPages");
    return outcome;
  };
  async function lockOrBegin(inside: Transaction, accountId: string, now: Date): Promise<PageRow> {
    await lockAccount(inside, accountId);
    await begin(inside, newId, accountId, now);
    return lockPage.onlyRow(inside, { accountId });
  }
  return {
    async read(accountId) {
      const row = await readPage.row(database, { accountId });
      return row ? toPage(row) : emptyPage();
    },
    async readRevision(accountId, revision) {
      const largest = 2 ** 31 - 1;
      if (revision > largest) return undefined;
      const row = await readRevision.row(database, { accountId, revision });
      return row && readBioContent(row.content);
    },
    async listRevisions(accountId, limit) {
      const rows = await listRevisions.rows(database, { accountId, limit });
      return rows.map((row) => ({ ...row, content: readBioContent(row.content) }));
    },
    async keptLinks(accountId, ids) {
      const rows = await readKeptLinks.rows(database, { accountId, ids: [...ids] });
      return rows.map(({ id }) => id);
    },
    async change(accountId, decide, now) {
      const page = await transaction(database, async (inside) => {
        const locked = await lockOrBegin(inside, accountId, now);
        const page = toPage(locked);
        const content = decide(page);
        if (content === undefined) return page;
        const change = { id: locked.id, content: jsonOf(content), now, kept: keptBioRevisions };
        const written = await writePage.onlyRow(inside, change);
        await keepNamesOfLinks(inside, locked.id, content, now);
        return toPage(written, content);
      });
      return changed(page);
    },
    handleState: (accountId, handle, now) => handleState(database, accountId, handle, now),
    async claimHandle(accountId, handle, now, { isFirst = false } = {}) {
      const outcome = await transaction(database, async (inside) => {
        // Before the row, so that claims wait for one another here and nowhere else.
        await advisoryLock(inside, "claimBioHandle");
        const locked = await lockOrBegin(inside, accountId, now);
        if (isFirst && locked.handle !== null && locked.handle !== handle) return "notFirst";
        const claim = await claimHandle(inside, { bioId: locked.id, accountId, former: locked.handle, handle, now });
        return claim === "claimed" ? toPage({ ...locked, handle }) : claim;
      });
      return changed(outcome);
    },
  };
}

async function keepNamesOfLinks(inside: Transaction, bioId: string, { links }: BioContent, now: Date): Promise<void> {
  const clickable = links.flatMap(({ id, title, url }) => (url === null ? [] : [{ id, title, url }]));
  const ids = clickable.map(({ id }) => id);
  const titles = clickable.map(({ title }) => title);
  const urls = clickable.map(({ url }) => url);
  await keepLinks.run(inside, { bioId, ids, titles, urls });
  await markDeletedLinks.run(inside, { bioId, ids, now });
  await removeUnclickedLinks.run(inside, { bioId, kept: keptDeletedLinks });
}
