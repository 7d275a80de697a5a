import { bioHandleLimits } from "@reelscript/contract";
import { isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, type Queryable, type Transaction } from "../engine/statement.ts";

const findHolder = statement(`
  select account_id from bio_page where handle = :handle
  union all select account_id from bio_former_handle where handle = :handle`).reading({ accountId: orNull(isText) });

/** Former handles stay in the table for a while after they expire, so the time is compared. */
const findHolderNow = statement(`
  select account_id from bio_page where handle = :handle
  union all select account_id from bio_former_handle where handle = :handle and held_until > :now`).reading({
  accountId: orNull(isText),
});

/** Whether an account could claim a handle. A claim decides under its lock. */
export async function handleState(
  database: Queryable,
  accountId: string,
  handle: string,
  now: Date,
): Promise<"free" | "yours" | "taken"> {
  const holders = await findHolderNow.rows(database, { handle, now });
  if (holders.some((holder) => holder.accountId !== accountId)) return "taken";
  return holders.length === 0 ? "free" : "yours";
}

const countFormerHandles = statement(
  "select count(*)::integer as former_handles from bio_former_handle where account_id = :accountId and handle <> :handle",
).reading({ formerHandles: isNumber });

const release = statement("delete from bio_former_handle where handle = :handle");

const writeHandle = statement("update bio_page set handle = :handle where id = :id");

interface HandleClaim {
  readonly bioId: string;
  readonly accountId: string;
  /** The page's current handle. */
  readonly former: string | null;
  readonly handle: string | null;
  readonly now: Date;
}

/** Changes or removes a page's handle. The caller holds the lock of claims and the page's row. */
export async function claimHandle(
  inside: Transaction,
  { bioId, accountId, former, handle, now }: HandleClaim,
): Promise<"claimed" | "taken" | "tooOften"> {
  if (handle === former) return "claimed";
  await forgetFormerHandles.run(inside, { now });
  if (handle !== null) {
    const holders = await findHolder.rows(inside, { handle });
    if (holders.some((holder) => holder.accountId !== accountId)) return "taken";
    const { formerHandles } = await countFormerHandles.onlyRow(inside, { accountId, handle });
    if (formerHandles >= bioHandleLimits.kept) return "tooOften";
    await release.run(inside, { handle });
  }
  if (former !== null) await keepFormerHandle(inside, { handle: former, accountId, now });
  await writeHandle.run(inside, { id: bioId, handle });
  return "claimed";
}

const keepFormer = statement(
  "insert into bio_former_handle (handle, account_id, held_until) values (:handle, :accountId, :keptUntil)",
);

/** Releases expired handles. */
export const forgetFormerHandles = statement("delete from bio_former_handle where held_until <= :now");

interface FormerHandle {
  readonly handle: string;
  /** The account that may take the handle back until then. */
  readonly accountId: string;
  readonly now: Date;
}

/** Reserves a handle that its account gives up. After the account is deleted, nobody can take it until it expires. */
export async function keepFormerHandle(inside: Transaction, { handle, accountId, now }: FormerHandle): Promise<void> {
  const keptUntil = new Date(now.getTime() + bioHandleLimits.keptDays * 86_400_000);
  await keepFormer.run(inside, { handle, accountId, keptUntil });
}
