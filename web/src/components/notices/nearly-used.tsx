import type { ReactNode } from "react";
import { shortDate } from "../../format/date.ts";
import { counted, exactNumber } from "../../format/number.ts";
import { Note } from "../note.tsx";

interface Allowance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string | null;
}

const nearlyAll = 0.9;

const isNearlyUsed = ({ used, limit }: Allowance): boolean => used < limit && used >= limit * nearlyAll;

interface Props extends Allowance {
  /** Who used them, at the start of a sentence: “CI” has, You have. */
  readonly who: string;
  readonly plan?: ReactNode;
}

/** You have used 9 of 10 transcriptions. 1 is left until Dec 3. */
export function NearlyUsed({ who, plan, ...allowance }: Props) {
  const { used, limit, resetsAt } = allowance;
  if (!isNearlyUsed(allowance)) return undefined;
  const left = limit - used;
  return (
    <Note kind="warn" icon="warn">
      <p>
        {who} used {exactNumber(used)} of {counted(limit, "transcription", "transcriptions")}. {exactNumber(left)}{" "}
        {left === 1 ? "is" : "are"} left{untilReset(resetsAt)}. {plan}
      </p>
    </Note>
  );
}

const untilReset = (resetsAt: string | null, now = new Date()): string =>
  resetsAt !== null && Date.parse(resetsAt) > now.getTime() ? ` until ${shortDate(resetsAt, now)}` : "";
