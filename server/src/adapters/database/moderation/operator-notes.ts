import type { Decision, QueueAction } from "../../../ports.ts";
import { statement, type Transaction } from "../engine/statement.ts";

const writeNote = statement(
  "insert into operator_note (at, actor, action, subject, reason) values (:now, :by, :action, :subject, :reason)",
);

/** Adds an entry to the audit, in the transaction of what it is about. */
export async function noteAction(
  inside: Transaction,
  action: QueueAction,
  subject: string,
  { by, reason, now }: Decision,
): Promise<void> {
  await writeNote.run(inside, { now, by, action, subject, reason });
}
