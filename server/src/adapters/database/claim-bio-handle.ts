import { bioHandleLimits } from "@reelscript/contract";
import type { PoolClient } from "pg";
import { forgetHandles, holdHandle } from "./hold-bio-handle.ts";
import { rowsOf, type Statement } from "./statement.ts";

const findHolder: Statement = {
  name: "find-bio-handle",
  text: `
    select account_id from bio_page where handle = $1
    union all select account_id from bio_former_handle where handle = $1`,
};

const countHeld: Statement = {
  name: "count-bio-handles",
  text: "select count(*)::integer as held from bio_former_handle where account_id = $1 and handle <> $2",
};

const release: Statement = { name: "release-bio-handle", text: "delete from bio_former_handle where handle = $1" };

const writeHandle: Statement = {
  name: "write-bio-handle",
  text: "update bio_page set handle = $2 where id = $1",
};

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
  client: PoolClient,
  { bioId, accountId, former, handle, now }: HandleClaim,
): Promise<"claimed" | "taken" | "tooOften"> {
  if (handle === former) return "claimed";
  await forgetHandles(client, now);
  if (handle !== null) {
    const holders = await rowsOf<{ account_id: string | null }>(client, findHolder, [handle]);
    if (holders.some((holder) => holder.account_id !== accountId)) return "taken";
    const [counted] = await rowsOf<{ held: number }>(client, countHeld, [accountId, handle]);
    if ((counted?.held ?? 0) >= bioHandleLimits.held) return "tooOften";
    await rowsOf(client, release, [handle]);
  }
  if (former !== null) await holdHandle(client, { handle: former, accountId, now });
  await rowsOf(client, writeHandle, [bioId, handle]);
  return "claimed";
}
