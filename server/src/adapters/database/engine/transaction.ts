import type { Database, Transaction } from "./statement.ts";

/** A statement was sent and the server did not answer in time: nothing more can be asked on its connection. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === "Query read timeout";

/** Commits what `work` did, or undoes all of it when `work` throws. Inside, only `inside` may be used: an embedded database has one connection. */
export async function transaction<Result>(
  database: Database,
  work: (inside: Transaction) => Promise<Result>,
): Promise<Result> {
  const inside = await database.connect();
  try {
    await inside.query("begin");
    const result = await work(inside);
    await inside.query("commit");
    inside.release();
    return result;
  } catch (error) {
    if (isUnanswered(error)) {
      inside.release(true);
      throw error;
    }
    const undone = await inside.query("rollback").then(
      () => true,
      () => false,
    );
    inside.release(!undone);
    throw error;
  }
}
