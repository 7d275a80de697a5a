import type { Failure, InterimText, TranscriptionState } from "../../../ports.ts";
import { isBoolean, isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";
import type { Column, RowOf } from "../engine/statement.ts";

const isCount: Column<number | undefined> = (value): value is number | undefined =>
  value === undefined || isNumber(value);

export const isFailure = isObjectOf<Failure>({ status: isNumber, message: isText, retryAfter: isCount });

export const stateRow = {
  state: isOneOf("queued", "running", "done", "failed"),
  progress: isNumber,
  waits: isBoolean,
  failure: orNull(isFailure),
};

/** Only of what is running. */
export const waiting = ({ state, waits }: Pick<RowOf<typeof stateRow>, "state" | "waits">) =>
  state === "running" && waits ? ({ waits } as const) : {};

export function toState(
  { state, progress, waits, failure }: RowOf<typeof stateRow>,
  interim?: InterimText,
): TranscriptionState {
  if (state === "queued" || state === "running")
    return { state, progress, ...waiting({ state, waits }), ...(interim && { interim }) };
  if (state === "done") return { state };
  if (failure === null) throw new Error("A transcription failed without a failure");
  return { state, failure };
}
