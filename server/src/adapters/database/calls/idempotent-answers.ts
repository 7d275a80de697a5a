import type { IdempotentAnswer, IdempotentAnswers, NewId } from "../../../ports.ts";
import { isBoolean, isBytes, isObjectOf, orNull } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

const isOver = "at <= :now::timestamptz - interval '24 hours'";

const beginCall = statement(`
  insert into idempotent_answer as a (account_id, key, token, request, at) values (:accountId, :key, :token, :request, :now)
  on conflict (account_id, key) do update
  set token = excluded.token, request = excluded.request, at = excluded.at, accepted = null, output = null
  where a.${isOver} or (a.output is null and a.at <= :givenUp)`);

const readCall = statement(
  "select request, accepted, output from idempotent_answer where account_id = :accountId and key = :key",
).reading({
  request: isBytes,
  accepted: orNull(isBoolean),
  output: orNull(isObjectOf<IdempotentAnswer["output"]>({})),
});

const renewCalls = statement(
  "update idempotent_answer set at = :now where token = any(:tokens::text[]) and output is null and at < :now",
);

const keepAnswer = statement(`
  update idempotent_answer set accepted = :accepted, output = :output, at = :now where token = :token and output is null`);

const releaseCall = statement("delete from idempotent_answer where token = :token and output is null");

const releaseAllCalls = statement("delete from idempotent_answer where output is null");

export const forgetAnswers = statement(`delete from idempotent_answer where ${isOver}`);

// oxlint-disable-next-line no-restricted-properties -- a replay must equal the first answer to the byte
const exactly = (answer: unknown): string => JSON.stringify(answer);

export function createIdempotentAnswers(database: Database, newId: NewId): IdempotentAnswers {
  return {
    async begin({ subject: { accountId, slot }, key, request, leaseSeconds, now }) {
      // No caller's key has a space in it.
      const storedKey = `${slot} ${key}`;
      const givenUp = new Date(now.getTime() - leaseSeconds * 1_000);
      for (;;) {
        const token = newId("idm");
        const begun = await beginCall.run(database, { accountId, key: storedKey, token, request, now, givenUp });
        if (begun > 0) return { kind: "begun", token };
        const row = await readCall.row(database, { accountId, key: storedKey });
        // The other call may have released the key between the two statements.
        if (row === undefined) continue;
        if (!Buffer.from(row.request).equals(request)) return { kind: "otherRequest" };
        if (row.output === null || row.accepted === null) return { kind: "inFlight" };
        return { kind: "answered", answer: { output: row.output, accepted: row.accepted } };
      }
    },
    async renew(tokens, now) {
      await renewCalls.run(database, { tokens, now });
    },
    async keep(token, { output, accepted }, now) {
      return (await keepAnswer.run(database, { token, accepted, output: exactly(output), now })) > 0;
    },
    async release(token) {
      await releaseCall.run(database, { token });
    },
    async releaseAll() {
      await releaseAllCalls.run(database);
    },
  };
}
