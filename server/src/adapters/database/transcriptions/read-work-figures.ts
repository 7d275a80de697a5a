import { isMoment, isNumber, orNull } from "../engine/columns.ts";
import { onlyRowOf, statement, type Database } from "../engine/statement.ts";

/** What waits, runs and is held, for operators. */
export interface StoredWork {
  readonly queued: number;
  readonly running: number;
  readonly oldestQueuedAt: Date | null;
  readonly held: number;
  readonly oldestHeldAt: Date | null;
}

const readFigures = statement(
  "read-work-figures",
  `
    select queue.*, holds.* from (
      select count(*) filter (where state = 'queued')::integer as queued,
        count(*) filter (where state = 'running')::integer as running,
        min(queued_at) filter (where state = 'queued') as "oldestQueuedAt"
      from transcription where state in ('queued', 'running')
    ) as queue, (
      select count(*)::integer as held, min(held_at) as "oldestHeldAt" from hold where state = 'held'
    ) as holds`,
  {
    queued: isNumber,
    running: isNumber,
    oldestQueuedAt: orNull(isMoment),
    held: isNumber,
    oldestHeldAt: orNull(isMoment),
  },
);

export const readWorkFigures = (database: Database): Promise<StoredWork> => onlyRowOf(database, readFigures);
