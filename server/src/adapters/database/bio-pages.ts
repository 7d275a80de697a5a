import { BioContent, keptBioRevisions } from "@reelscript/contract";
import type { Pool, PoolClient } from "pg";
import type { BioPages, NewId, StoredBioPage } from "../../ports.ts";
import { claimHandle } from "./claim-bio-handle.ts";
import { holdAccount } from "./hold-account.ts";
import { locks } from "./locks.ts";
import { rowsOf, transaction, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const columns = "id, handle, revision, content, updated_at";

const readPage: Statement = { name: "read-bio", text: `select ${columns} from bio_page where account_id = $1` };
const lockPage: Statement = { name: "lock-bio", text: `${readPage.text} for update` };

/** A page begins with its revision 0, so that the first change can be undone like any other. */
const beginPage: Statement = {
  name: "begin-bio",
  text: `
    with begun as (
      insert into bio_page (id, account_id, content, created_at) values ($1, $2, $3, $4)
      on conflict (account_id) do nothing returning id, revision, content, created_at
    )
    insert into bio_revision (bio_id, revision, content, made_at) select id, revision, content, created_at from begun`,
};

const writePage: Statement = {
  name: "write-bio",
  text: `
    with written as (
      update bio_page set revision = revision + 1, content = $2, updated_at = $3 where id = $1 returning ${columns}
    ), kept as (
      insert into bio_revision (bio_id, revision, content, made_at) select id, revision, content, updated_at from written
    ), forgotten as (
      delete from bio_revision using written
      where bio_id = written.id and bio_revision.revision <= written.revision - $4::integer
    )
    select ${columns} from written`,
};

const lockHandles: Statement = { name: "lock-bio-handles", text: "select pg_advisory_xact_lock($1)" };

const keepLinks: Statement = {
  name: "keep-bio-links",
  text: `
    insert into bio_link (id, bio_id, title, url)
    select link.id, $1, link.title, link.url
    from unnest($2::text[], $3::text[], $4::text[]) with ordinality as link (id, title, url, place)
    order by link.place
    on conflict (id) do update set title = excluded.title, url = excluded.url, deleted_at = null
    where bio_link.bio_id = excluded.bio_id`,
};

const markDeletedLinks: Statement = {
  name: "mark-deleted-bio-links",
  text: "update bio_link set deleted_at = $3 where bio_id = $1 and deleted_at is null and id <> all($2::text[])",
};

const readRevision: Statement = {
  name: "read-bio-revision",
  text: `
    select r.content from bio_revision as r join bio_page as p on p.id = r.bio_id
    where p.account_id = $1 and r.revision = $2`,
};

interface PageRow {
  readonly id: string;
  readonly handle: string | null;
  readonly revision: number;
  readonly content: unknown;
  readonly updated_at: Date | null;
}

/** The contract may have got fields since the content was written. */
const toPage = (row: PageRow): StoredBioPage => ({
  id: row.id,
  handle: row.handle,
  content: BioContent.parse(row.content),
  revision: row.revision,
  updatedAt: row.updated_at,
});

const emptyPage = (): StoredBioPage => ({
  id: undefined,
  handle: null,
  content: BioContent.parse({}),
  revision: 0,
  updatedAt: null,
});

export function createBioPages(pool: Pool, newId: NewId): BioPages {
  async function lockOrBegin(client: PoolClient, accountId: string, now: Date): Promise<PageRow> {
    await holdAccount(client, accountId);
    await rowsOf(client, beginPage, [newId("bio"), accountId, JSON.stringify(emptyPage().content), now]);
    const [locked] = await rowsOf<PageRow>(client, lockPage, [accountId]);
    if (!locked) throw new Error(`The bio page of account ${accountId} is not there`);
    return locked;
  }
  return {
    async read(accountId) {
      const [row] = await rowsOf<PageRow>(pool, readPage, [storable(accountId)]);
      return row ? toPage(row) : emptyPage();
    },
    async readRevision(accountId, revision) {
      const largest = 2 ** 31 - 1;
      if (revision > largest) return undefined;
      const [row] = await rowsOf<{ content: unknown }>(pool, readRevision, [storable(accountId), revision]);
      return row && BioContent.parse(row.content);
    },
    change(accountId, decide, now) {
      return transaction(pool, async (client) => {
        const locked = await lockOrBegin(client, accountId, now);
        const page = toPage(locked);
        const content = decide(page);
        if (content === undefined) return page;
        const [written] = await rowsOf<PageRow>(client, writePage, [
          locked.id,
          JSON.stringify(content),
          now,
          keptBioRevisions,
        ]);
        if (!written) throw new Error(`The bio page ${locked.id} went away under its lock`);
        await keepNamesOfLinks(client, locked.id, content, now);
        return toPage(written);
      });
    },
    claimHandle(accountId, handle, now) {
      return transaction(pool, async (client) => {
        // Before the row, so that claims wait for one another here and nowhere else.
        await rowsOf(client, lockHandles, [locks.claimBioHandle]);
        const locked = await lockOrBegin(client, accountId, now);
        const outcome = await claimHandle(client, { bioId: locked.id, accountId, former: locked.handle, handle, now });
        return outcome === "claimed" ? toPage({ ...locked, handle }) : outcome;
      });
    },
  };
}

async function keepNamesOfLinks(client: PoolClient, bioId: string, { links }: BioContent, now: Date): Promise<void> {
  const clickable = links.flatMap(({ id, title, url }) => (url === null ? [] : [{ id, title, url }]));
  const ids = clickable.map(({ id }) => id);
  const titles = clickable.map(({ title }) => title);
  const urls = clickable.map(({ url }) => url);
  await rowsOf(client, keepLinks, [bioId, ids, titles, urls]);
  await rowsOf(client, markDeletedLinks, [bioId, ids, now]);
}
