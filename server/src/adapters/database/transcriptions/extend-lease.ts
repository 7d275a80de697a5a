import type { NumberedPassage } from "../../../ports.ts";
import { execute, statement, type Database } from "../engine/statement.ts";

const extend = statement(`
  update transcription
  set lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds), progress = least(greatest(:progress::float8, progress), 1),
    waits = :waits::boolean
  where id = :id and attempt = :attempt and state = 'running'
  returning id`);

const extendWithPassages = statement(`
  with held as (
    update transcription
    set lease_until = :now::timestamptz + make_interval(secs => :leaseSeconds), progress = least(greatest(:progress::float8, progress), 1),
      waits = :waits::boolean
    where id = :id and attempt = :attempt and state = 'running'
    returning id, attempt
  ), told as (
    insert into interim_text (transcription_id, number, attempt, language, text)
    select held.id, passage.number, held.attempt, passage.language, passage.text
    from held, unnest(:numbers::integer[], :languages::text[], :texts::text[]) as passage (number, language, text)
    -- The answer to the last time may be lost. A draft, whose number is 0, takes the place of the last one.
    on conflict (transcription_id, number) do update set language = excluded.language, text = excluded.text
      where interim_text.number = 0
  )
  select id from held`);

interface Extension {
  readonly id: string;
  readonly attempt: number;
  readonly progress: number;
  readonly leaseSeconds: number;
  readonly now: Date;
  readonly waits: boolean;
}

/** Renews a lease, and keeps what was recognized since for those who follow. False when the lease was lost. */
export async function extendLease(
  database: Database,
  extension: Extension,
  passages: readonly NumberedPassage[] = [],
): Promise<boolean> {
  const values = { ...extension };
  const held =
    passages.length === 0
      ? await execute(database, extend, values)
      : await execute(database, extendWithPassages, {
          ...values,
          numbers: passages.map(({ number }) => number),
          languages: passages.map(({ language }) => language),
          texts: passages.map(({ text }) => text),
        });
  return held > 0;
}
