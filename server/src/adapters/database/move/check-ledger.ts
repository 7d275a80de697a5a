import { isNumber, isText } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";

/** Counts of units charged, held, stored and waiting; in a whole database each of the last three is zero. */
const readLedger = statement(`
  select (select coalesce(sum(used), 0) from allowance)::text as used,
    (select coalesce(sum(held), 0) from allowance)::text as held,
    (select coalesce(sum(units), 0) from hold where state = 'charged')::text as charged,
    (select coalesce(sum(length(text)), 0) from transcript)::text as characters,
    (
      select count(*)::integer from allowance as a
      where a.held <> (
        select coalesce(sum(h.units), 0) from hold as h
        where h.account_id = a.account_id and h.slot = a.slot and h.period = a.period and h.state = 'held'
      )
    ) as wrong_holds,
    (
      select (coalesce(sum(open), 0) - (select count(*) from transcription where state in ('queued', 'running')))::integer
      from queue_length
    ) as wrong_length,
    (
      select count(*)::integer from script as s
      where not exists (select from transcript as t where t.id = s.transcript_id)
    ) as lost_texts`).reading({
  used: isText,
  held: isText,
  charged: isText,
  characters: isText,
  wrongHolds: isNumber,
  wrongLength: isNumber,
  lostTexts: isNumber,
});

/** Throws if charged and held units differ between the databases, or if one database's own sums disagree. */
export async function checkLedger(from: Database, to: Database): Promise<void> {
  const sentLedger = await readLedger.onlyRow(from);
  const arrivedLedger = await readLedger.onlyRow(to);
  const names = ["used", "held", "charged", "characters", "wrongHolds", "wrongLength", "lostTexts"] as const;
  const different = names.filter((name) => sentLedger[name] !== arrivedLedger[name]);
  if (different.length > 0)
    throw new Error(
      `What arrived differs from what was sent in ${different.join(", ")}. Keep the old database, and report this.`,
    );
}
