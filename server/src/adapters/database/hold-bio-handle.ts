import { bioHandleLimits } from "@reelscript/contract";
import type { PoolClient } from "pg";
import { rowsOf, type Queryable, type Statement } from "./statement.ts";

const holdFormer: Statement = {
  name: "hold-bio-handle",
  text: "insert into bio_former_handle (handle, account_id, held_until) values ($1, $2, $3)",
};

const forgetEnded: Statement = {
  name: "forget-bio-handles",
  text: "delete from bio_former_handle where held_until <= $1",
};

interface FormerHandle {
  readonly handle: string;
  /** Who may have it back meanwhile. */
  readonly accountId: string;
  readonly now: Date;
}

/** Holds a handle that its account gives up. Without its account, when that goes too, it is held for nobody. */
export async function holdHandle(client: PoolClient, { handle, accountId, now }: FormerHandle): Promise<void> {
  const heldUntil = new Date(now.getTime() + bioHandleLimits.heldDays * 86_400_000);
  await rowsOf(client, holdFormer, [handle, accountId, heldUntil]);
}

/** Sets the handles free whose time has ended. */
export async function forgetHandles(on: Queryable, now: Date): Promise<void> {
  await rowsOf(on, forgetEnded, [now]);
}
