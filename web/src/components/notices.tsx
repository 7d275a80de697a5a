import { Link } from "@tanstack/react-router";
import { useOperation } from "../api/use-operation.ts";
import { canTranscribe, keysAt } from "./key-end.ts";
import type { Output } from "@reelscript/client/core";
import { Moment, nearlyAll } from "./inline.tsx";
import { Note } from "./page.tsx";
import type { ReactNode } from "react";
import { shortDate, counted, exactNumber, largestPlan } from "../format.ts";

const staleTime = 300_000;

/** Warns before something runs out: the account's transcriptions, renewable quotas of keys, and keys about to expire. */
export function Notices() {
  const usage = useOperation("getUsage", {}).data;
  const keys = useOperation("listKeys", {}, { staleTime }).data;
  if (usage === undefined || keys === undefined) return undefined;
  const plans = usage.plan !== largestPlan && <Link to="/usage">See plans</Link>;
  // A quota that never renews would be shown here forever; the usage page shows it per key.
  const counted = keys.quotaScope === "key" && usage.transcriptions.resetsAt !== null ? keys.keys : [];
  return (
    <>
      <NearlyUsed name="You" plural plan={plans} {...usage.transcriptions} />
      {counted.filter(canTranscribe).map(({ id, name, transcriptions }) => (
        <NearlyUsed key={id} name={`“\u2068${name}\u2069”`} plan={plans} {...transcriptions} />
      ))}
      <ExpiringKeys keys={keys.keys} />
    </>
  );
}

export function ExpiringKeys({ keys }: Pick<Output<"listKeys">, "keys">) {
  const ending = keysAt("soon", keys);
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

interface NearlyUsedProps {
  /** Begins the sentence with the quota's owner. */
  readonly name: string;
  readonly plural?: boolean;
  readonly plan?: ReactNode;
  readonly used: number;
  readonly limit: number;
  readonly resetsAt: string | null;
}

export function NearlyUsed({ name, plural = false, plan, used, limit, resetsAt }: NearlyUsedProps) {
  if (used >= limit || used < limit * nearlyAll) return undefined;
  const left = limit - used;
  return (
    <Note kind="warn" icon="warn">
      <p>
        {name} {plural ? "have" : "has"} used {exactNumber(used)} of {counted(limit, "transcription", "transcriptions")}
        . {exactNumber(left)} {left === 1 ? "is" : "are"} left{untilReset(resetsAt)}. {plan}
      </p>
    </Note>
  );
}

const untilReset = (resetsAt: string | null): string =>
  resetsAt !== null && Date.parse(resetsAt) > Date.now() ? ` until ${shortDate(resetsAt)}` : "";
