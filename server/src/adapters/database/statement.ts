import type { Pool, PoolClient, QueryResultRow } from "pg";

/** A statement of a hot path: the name makes every connection parse and plan it once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Queryable = Pick<Pool, "query"> | Pick<PoolClient, "query">;

export async function rowsOf<Row extends QueryResultRow>(
  on: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await on.query<Row>({ name: statement.name, text: statement.text, values: [...values] });
  return result.rows;
}

/** Commits what `work` did, or undoes all of it when `work` throws. Inside, only `client` may be used: an embedded database has one connection. */
export async function transaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const undone = await client.query("rollback").then(
      () => true,
      () => false,
    );
    client.release(!undone);
    throw error;
  }
}
