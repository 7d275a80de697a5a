import { bioHandleLimits } from "@reelscript/contract";
import { forgetFormerHandles, keepFormerHandle } from "./keep-former-handle.ts";
import { isNumber, isText, orNull } from "../engine/columns.ts";
import { execute, onlyRowOf, rowsOf, statement, type Transaction } from "../engine/statement.ts";

const findHolder = statement(
  "find-bio-handle",
  `
    select account_id from bio_page where handle = :handle
    union all select account_id from bio_former_handle where handle = :handle`,
  { account_id: orNull(isText) },
);

const countKept = statement(
  "count-bio-handles",
  "select count(*)::integer as kept from bio_former_handle where account_id = :accountId and handle <> :handle",
  { kept: isNumber },
);

const release = statement("release-bio-handle", "delete from bio_former_handle where handle = :handle");

const writeHandle = statement("write-bio-handle", "update bio_page set handle = :handle where id = :id");

interface HandleClaim {
  readonly bioId: string;
  readonly accountId: string;
  /** What the page has now. */
  readonly former: string | null;
  readonly handle: string | null;
  readonly now: Date;
}

/** Gives a page another handle, or none. The caller holds the lock of claims and the page's row. */
export async function claimHandle(
  inside: Transaction,
  { bioId, accountId, former, handle, now }: HandleClaim,
): Promise<"claimed" | "taken" | "tooOften"> {
  if (handle === former) return "claimed";
  await forgetFormerHandles(inside, now);
  if (handle !== null) {
    const holders = await rowsOf(inside, findHolder, { handle });
    if (holders.some((holder) => holder.account_id !== accountId)) return "taken";
    const { kept } = await onlyRowOf(inside, countKept, { accountId, handle });
    if (kept >= bioHandleLimits.kept) return "tooOften";
    await execute(inside, release, { handle });
  }
  if (former !== null) await keepFormerHandle(inside, { handle: former, accountId, now });
  await execute(inside, writeHandle, { id: bioId, handle });
  return "claimed";
}
