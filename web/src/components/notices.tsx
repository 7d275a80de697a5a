import { Link } from "@tanstack/react-router";
import { useOperation } from "../api/use-operation.ts";
import { canTranscribe, keyEnd } from "./key-end.ts";
import type { Key } from "@reelscript/contract";
import { Moment } from "./inline.tsx";
import { Note } from "./page.tsx";
import type { ReactNode } from "react";
import { shortDate, counted, exactNumber } from "../format.ts";

const largestPlan = "creator";
const staleTime = 300_000;

/** What runs out soon: transcriptions of people and, where they renew, of each key, and keys. */
export function Notices() {
  const usage = useOperation("getUsage", {}).data;
  const keys = useOperation("listKeys", {}, { staleTime }).data;
  if (usage === undefined || keys === undefined) return undefined;
  const plans = usage.plan !== largestPlan && <Link to="/usage">See plans</Link>;
  // What never renews would be said here forever; the page of usage says it of keys.
  const counted = keys.quotaScope === "key" && usage.transcriptions.resetsAt !== null ? keys.keys : [];
  return (
    <>
      <NearlyUsed who="You have" plan={plans} {...usage.transcriptions} />
      {counted.filter(canTranscribe).map(({ id, name, transcriptions }) => (
        <NearlyUsed key={id} who={`“\u2068${name}\u2069” has`} plan={plans} {...transcriptions} />
      ))}
      <ExpiringKeys keys={keys.keys} />
    </>
  );
}

export function ExpiringKeys({
  keys,
}: {
  readonly keys: readonly Pick<Key, "id" | "name" | "createdAt" | "expiresAt">[];
}) {
  const ending = keys
    .filter((key) => keyEnd(key) === "soon")
    .toSorted((one, other) => Date.parse(one.expiresAt ?? "") - Date.parse(other.expiresAt ?? ""));
  if (ending.length === 0) return undefined;
  return (
    <Note kind="warn" icon="clock">
      {ending.map(({ id, name, expiresAt }) => (
        <p key={id}>
          Key “
          <Link to="/settings/keys/$keyId" params={{ keyId: id }}>
            <bdi>{name}</bdi>
          </Link>
          ” expires on {expiresAt && <Moment at={expiresAt} style="long" />}. Replace it before then.
        </p>
      ))}
    </Note>
  );
}

interface Allowance {
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string | null;
}

const nearlyAll = 0.9;

const isNearlyUsed = ({ used, limit }: Allowance): boolean => used < limit && used >= limit * nearlyAll;

interface NearlyUsedProps extends Allowance {
  /** Who used them, at the start of a sentence: “CI” has, You have. */
  readonly who: string;
  readonly plan?: ReactNode;
}

export function NearlyUsed({ who, plan, ...allowance }: NearlyUsedProps) {
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
