import { execute, statement, type Database } from "../engine/statement.ts";

/** Longer than a last turn makes a difference. */
const keptMilliseconds = 60 * 60 * 1_000;

const forgetTurns = statement(
  "forget-idle-turns",
  "delete from queue_account where waiting = 0 and running = 0 and turn_at <= :before",
);

/** Removes accounts from the queue's turns that have nothing in it and had their last turn long ago. */
export async function forgetIdleTurns(database: Database, now: Date): Promise<void> {
  await execute(database, forgetTurns, { before: new Date(now.getTime() - keptMilliseconds) });
}
