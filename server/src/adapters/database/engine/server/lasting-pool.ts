import pg from "pg";

/** Classes of SQL states that concern the statement alone: bad data, a broken rule, a refusal by one of our triggers. */
const refusals = new Set(["22", "23", "40", "42", "55", "P0", "RS"]);

const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && refusals.has((error.code ?? "").slice(0, 2));

/** Keeps its connection when the database refuses a statement: only its caller gets the error, and the next one finds its statements prepared. */
export class LastingPool extends pg.Pool {
  override query = (async (...parameters: unknown[]): Promise<unknown> => {
    const client = await this.connect();
    const send = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    try {
      const result = await send(...parameters);
      client.release();
      return result;
    } catch (error) {
      client.release(isRefusal(error) ? undefined : (error as Error));
      throw error;
    }
  }) as pg.Pool["query"];
}
