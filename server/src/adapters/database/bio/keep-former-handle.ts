import { bioHandleLimits } from "@reelscript/contract";
import { execute, statement, type Queryable, type Transaction } from "../engine/statement.ts";

const keepFormer = statement(
  "keep-former-handle",
  "insert into bio_former_handle (handle, account_id, held_until) values (:handle, :accountId, :keptUntil)",
);

const forgetEnded = statement("forget-former-handles", "delete from bio_former_handle where held_until <= :now");

interface FormerHandle {
  readonly handle: string;
  /** Who may have it back meanwhile. */
  readonly accountId: string;
  readonly now: Date;
}

/** Keeps a handle that its account gives up. Once the account itself is deleted, it is kept for nobody. */
export async function keepFormerHandle(inside: Transaction, { handle, accountId, now }: FormerHandle): Promise<void> {
  const keptUntil = new Date(now.getTime() + bioHandleLimits.keptDays * 86_400_000);
  await execute(inside, keepFormer, { handle, accountId, keptUntil });
}

/** Sets the handles free whose time has ended. */
export async function forgetFormerHandles(on: Queryable, now: Date): Promise<void> {
  await execute(on, forgetEnded, { now });
}
