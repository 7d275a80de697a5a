import pg from "pg";
import { isUnanswered } from "../transaction.ts";

const farewellMilliseconds = 1_000;

/**
 * A connection that is closed as soon as a statement isn't answered within `query_timeout`, whoever sent it: that
 * statement would still block the next. Nor does closing wait for a server that doesn't answer.
 */
export class ImpatientClient extends pg.Client {
  override query = ((...parameters: unknown[]): unknown => {
    const send = super.query.bind(this) as (...given: unknown[]) => unknown;
    const answer = send(...parameters);
    if (answer instanceof Promise)
      return answer.catch((error: unknown) => {
        if (isUnanswered(error)) this.end().catch(() => undefined);
        throw error;
      });
    return answer;
  }) as pg.Client["query"];

  override end = ((whenEnded?: (error: Error) => void): unknown => {
    const timer = setTimeout(() => this.connection.stream.destroy(), farewellMilliseconds);
    this.once("end", () => clearTimeout(timer));
    return whenEnded === undefined ? super.end() : super.end(whenEnded);
  }) as pg.Client["end"];
}
