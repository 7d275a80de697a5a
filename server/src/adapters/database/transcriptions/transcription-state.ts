import type { Failure, InterimText, TranscriptionState } from "../../../ports.ts";
import { isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { Column, RowOf } from "../engine/statement.ts";

const isCount: Column<number | undefined> = (value): value is number | undefined =>
  value === undefined || isNumber(value);

export const isFailure = isObjectOf<Failure>({ status: isNumber, message: isText, retryAfter: isCount });

export const stateRow = {
  state: isOneOf("queued", "running", "done", "failed"),
  progress: isNumber,
  failure: orNull(isFailure),
};

export function toState(
  { state, progress, failure }: RowOf<typeof stateRow>,
  interim?: InterimText,
): TranscriptionState {
  if (state === "queued" || state === "running") return { state, progress, ...(interim && { interim }) };
  if (state === "done") return { state };
  if (failure === null) throw new Error("A transcription failed without a failure");
  return { state, failure };
}
