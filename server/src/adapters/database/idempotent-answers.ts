import type { Pool } from "pg";
import type { IdempotentAnswer, IdempotentAnswers, NewId } from "../../ports.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const keptMilliseconds = 24 * 60 * 60 * 1_000;

const beginCall: Statement = {
  name: "begin-idempotent",
  text: `
    insert into idempotent_answer as a (account_id, key, token, request, at) values ($1, $2, $3, $4, $5)
    on conflict (account_id, key) do update
    set token = excluded.token, request = excluded.request, at = excluded.at, accepted = null, output = null
    where a.at <= $6 or (a.output is null and a.at <= $7)
    returning token`,
};

const readCall: Statement = {
  name: "read-idempotent",
  text: "select request, accepted, output from idempotent_answer where account_id = $1 and key = $2",
};

const keepAnswer: Statement = {
  name: "keep-idempotent",
  text: `
    update idempotent_answer set accepted = $2, output = $3, at = $4 where token = $1 and output is null
    returning token`,
};

const releaseCall: Statement = {
  name: "release-idempotent",
  text: "delete from idempotent_answer where token = $1 and output is null",
};

const releaseAllCalls: Statement = {
  name: "release-all-idempotent",
  text: "delete from idempotent_answer where output is null",
};

const forgetOld: Statement = {
  name: "forget-idempotent",
  text: "delete from idempotent_answer where at <= $1",
};

interface CallRow {
  request: Uint8Array;
  accepted: boolean | null;
  output: IdempotentAnswer["output"] | null;
}

export interface StoredIdempotentAnswers extends IdempotentAnswers {
  /** Removes what is not replayed any more. */
  forget(now: Date): Promise<void>;
}

export function createIdempotentAnswers(pool: Pool, newId: NewId): StoredIdempotentAnswers {
  const oldest = (now: Date): Date => new Date(now.getTime() - keptMilliseconds);
  return {
    async begin({ accountId, key, request, leaseSeconds, now }) {
      const names = [storable(accountId), storable(key)];
      const givenUp = new Date(now.getTime() - leaseSeconds * 1_000);
      for (;;) {
        const token = newId("idm");
        const begun = await rowsOf(pool, beginCall, [...names, token, request, now, oldest(now), givenUp]);
        if (begun.length > 0) return { kind: "begun", token };
        const [row] = await rowsOf<CallRow>(pool, readCall, names);
        // The other call may have given the key free between the two statements.
        if (row === undefined) continue;
        if (!Buffer.from(row.request).equals(request)) return { kind: "otherRequest" };
        if (row.output === null || row.accepted === null) return { kind: "inFlight" };
        return { kind: "answered", answer: { output: row.output, accepted: row.accepted } };
      }
    },
    async keep(token, { output, accepted }, now) {
      return (await rowsOf(pool, keepAnswer, [token, accepted, JSON.stringify(output), now])).length > 0;
    },
    async release(token) {
      await rowsOf(pool, releaseCall, [token]);
    },
    async releaseAll() {
      await rowsOf(pool, releaseAllCalls, []);
    },
    async forget(now) {
      await rowsOf(pool, forgetOld, [oldest(now)]);
    },
  };
}
