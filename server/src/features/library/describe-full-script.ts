import type { FullScript } from "@reelscript/contract";
import type { ScriptRow } from "../../ports.ts";
import { receiptOf } from "../../receipt-of.ts";
import { describeScript } from "./describe-script.ts";

/** A script with its whole transcript, the times at which things are said, and how it was made. */
export const describeFullScript = (row: ScriptRow): FullScript => ({
  ...describeScript(row),
  segments: [...row.transcript.segments],
  receipt: receiptOf(row.transcript),
});
