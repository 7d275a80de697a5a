import type { Failure, StoredTranscription } from "../../ports.ts";
import { rowsOf, type Queryable, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { toTranscript, transcriptColumns, type TranscriptRow } from "./transcript-row.ts";

const findOwn: Statement = {
  name: "find-own-transcription",
  text: `
    select asked.url, asked.state, asked.progress, asked.failure, asked.queued_at, asked.finished_at,
      ${transcriptColumns("made")}
    from transcription as asked
    left join transcript as made
      on asked.state = 'done' and made.platform = asked.platform and made.media_id = asked.media_id
    where asked.id = $1 and asked.account_id = $2`,
};

type OwnRow = {
  url: string;
  state: "queued" | "running" | "done" | "failed";
  progress: number;
  failure: Failure | null;
  queued_at: Date;
  finished_at: Date | null;
} & TranscriptRow;

/** A transcription that the account asked for, with the transcript when it is done. */
export async function findOwnTranscription(
  on: Queryable,
  accountId: string,
  transcriptionId: string,
): Promise<StoredTranscription | undefined> {
  const [row] = await rowsOf<OwnRow>(on, findOwn, [storable(transcriptionId), storable(accountId)]);
  if (row === undefined) return undefined;
  const { url, state, progress, failure, queued_at: queuedAt, finished_at: finishedAt } = row;
  const asked = { id: transcriptionId, reelUrl: url, queuedAt };
  if (state === "queued" || state === "running") return { ...asked, state, progress };
  if (finishedAt === null) throw new Error(`transcription ${transcriptionId} is ${state}, but never finished`);
  if (state === "done") return { ...asked, state, finishedAt, transcript: toTranscript(row) };
  if (failure === null) throw new Error(`transcription ${transcriptionId} failed without a failure`);
  return { ...asked, state, finishedAt, failure };
}
