import { statement, type Transaction } from "./statement.ts";
import { isBoolean } from "./columns.ts";

/**
 * They only have to differ from each other. `startOfAccount` is combined with an account's id; the database functions use its
 * number too.
 */
const keys = {
  migrate: 7_365_001,
  startOfAccount: 7_365_002,
  claimBioHandle: 7_365_009,
  foldBio: 7_365_010,
} as const;

type AdvisoryLock = keyof typeof keys;

const takeLock = statement("select pg_advisory_xact_lock(:key)");
const takeLockOf = statement("select pg_advisory_xact_lock(:key, hashtext(:of))");
const tryLock = statement("select pg_try_advisory_xact_lock(:key) as ours").reading({ ours: isBoolean });

/** Waits until the lock is free, and holds it until the transaction ends. */
export async function advisoryLock(inside: Transaction, lock: AdvisoryLock): Promise<void> {
  await takeLock.run(inside, { key: keys[lock] });
}

/** The lock of one account. */
export async function advisoryLockOf(inside: Transaction, lock: AdvisoryLock, accountId: string): Promise<void> {
  await takeLockOf.run(inside, { key: keys[lock], of: accountId });
}

/** False when somebody else has the lock. */
export const tryAdvisoryLock = async (inside: Transaction, lock: AdvisoryLock): Promise<boolean> =>
  (await tryLock.onlyRow(inside, { key: keys[lock] })).ours;
