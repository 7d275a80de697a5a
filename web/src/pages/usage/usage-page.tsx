import { getRouteApi, Link } from "@tanstack/react-router";
import type { Output } from "@reelscript/client/core";
import { refresh } from "../../api/call.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote, PendingLines, Note, PageHeader } from "../../components/page.tsx";
import { Moment, Meter } from "../../components/inline.tsx";
import { planName, exactNumber, quotaSentence } from "../../format.ts";
import { BillingNote, CheckoutNote, useCheckoutReturn } from "./checkout-note.tsx";
import { useLeave } from "./use-leave.ts";
import { PlanCards, largerPlans } from "./plan-cards.tsx";
import { UsageByDay } from "./usage-by-day.tsx";
import type { PlanName } from "@reelscript/contract";
import { useEffect, useRef, type ReactNode } from "react";
import { canTranscribe } from "../../components/key-end.ts";
import { NearlyUsed } from "../../components/notices.tsx";

const everyMilliseconds = 1_500;
/** The plan may change before the payment that resets the usage is recorded. */
const looksAfterward = [0, 2_000, 5_000];

function useFreshUse(plan: PlanName | undefined) {
  const usage = useOperation("getUsage", {}, { staleTime: 0 });
  const keys = useOperation("listKeys", {}, { staleTime: 0 });
  const before = useRef(plan);
  useEffect(() => {
    const changed = before.current !== undefined && plan !== before.current;
    before.current = plan;
    if (!changed) return undefined;
    const timers = looksAfterward.map((wait) =>
      setTimeout(() => void refresh("getUsage", "getUsageByDay", "listKeys", "getSession"), wait),
    );
    return () => timers.forEach(clearTimeout);
  }, [plan]);
  return { usage, keys };
}

const route = getRouteApi("/shell/usage");

export function UsagePage() {
  const { plan: selectedPlan } = route.useSearch();
  const billing = useOperation("getBilling", {}, { staleTime: 0 });
  const returned = useCheckoutReturn(billing.data?.plan);
  useOperation("getBilling", {}, { refetchInterval: returned.waiting && everyMilliseconds });
  const { usage, keys } = useFreshUse(billing.data?.plan);
  const table = useOperation("getPlans", {});
  const byDay = useOperation("getUsageByDay", {}, { staleTime: 0 });
  const leave = useLeave();
  const larger = table.data && billing.data ? largerPlans(table.data.plans, billing.data.plan) : [];
  const trouble = [billing, usage, keys, table].find(({ data, error }) => data === undefined && error !== null);
  // Loaded together, so that nothing on the page moves.
  const subscription = billing.data &&
    usage.data &&
    keys.data &&
    table.data &&
    (byDay.data ?? byDay.error) && { billing: billing.data, usage: usage.data, keys: keys.data, table: table.data };
  const isSettled = subscription !== undefined || trouble !== undefined;
  return (
    <>
      <PageHeader
        title="Usage and plan"
        sub={
          isSettled && billing.data && usage.data ? <PlanLine billing={billing.data} usage={usage.data} /> : pendingLine
        }
      >
        {isSettled && billing.data?.manageable && (
          <Button icon="open" busy={leave.toPortal && "Opening…"} onClick={leave.manage}>
            Invoices and card
          </Button>
        )}
      </PageHeader>
      <CheckoutNote returned={returned} plan={billing.data?.plan} />
      {isSettled && billing.data && <BillingNote billing={billing.data} leave={leave} />}
      <ErrorNote error={leave.error}>You weren’t charged.</ErrorNote>
      <ErrorNote error={trouble?.error} onRetry={() => void trouble?.refetch()} />
      {!subscription && !trouble && <PendingLines label="Loading what is used" count={3} />}
      {subscription && (
        <>
          <section className="usage-rows stack">
            <h2>Transcriptions</h2>
            <TranscriptionUse
              usage={subscription.usage}
              keys={subscription.keys}
              larger={larger.map(({ name }) => name)}
            />
          </section>
          {byDay.data && <UsageByDay current={byDay.data} shared={subscription.keys.quotaScope === "account"} />}
          <ErrorNote error={byDay.data ? undefined : byDay.error} onRetry={() => void byDay.refetch()} />
          {subscription.usage.posts && (
            <section className="usage-rows stack">
              <h2>Posts analyzed</h2>
              <ul aria-label="Posts analyzed">
                <UseRow name="In your reports" about={false} {...subscription.usage.posts} />
              </ul>
            </section>
          )}
          <section className="stack tight">
            <h2>Plans</h2>
            <PlanCards
              table={subscription.table}
              billing={subscription.billing}
              selectedPlan={selectedPlan}
              leave={leave}
            />
            <p className="hint">
              Reels someone already transcribed are free. You’re never charged for a failed transcription.
            </p>
          </section>
        </>
      )}
    </>
  );
}

/** Reserves as many lines as the text will need. */
const pendingLine = (
  <span className="keeps-its-place" aria-hidden="true">
    Creator, paid until Sep 30, 2026. Your limits reset then.
  </span>
);

interface LineProps {
  readonly billing: Output<"getBilling">;
  readonly usage: Output<"getUsage">;
}

function PlanLine({ billing: { plan, status, periodEnd, cancelsAt }, usage }: LineProps) {
  const name = planName(plan);
  const { resetsAt } = usage.transcriptions;
  if (resetsAt === null) return <>{name} plan. These limits don’t renew.</>;
  if (status === "pastDue") return <>{name}. Your limits reset with the next payment.</>;
  if (periodEnd !== null && status === "active")
    return (
      <>
        {name}, paid until <Moment at={periodEnd} style="long" />.{cancelsAt === null && " Your limits reset then."}
      </>
    );
  return (
    <>
      {name}. Your limits reset on <Moment at={resetsAt} style="long" />.
    </>
  );
}

interface Props {
  readonly usage: Output<"getUsage">;
  readonly keys: Output<"listKeys">;
  readonly larger: readonly string[];
}

function TranscriptionUse({ usage: { transcriptions }, keys: { keys, quotaScope }, larger }: Props) {
  const shared = quotaScope === "account";
  const ownQuotaKeys = shared ? [] : keys.filter(({ readOnly }) => !readOnly);
  const people = shared ? "Dashboard, extension and keys" : "Dashboard and extension";
  const users = [
    { id: "people", name: people, plural: true, ...transcriptions },
    ...ownQuotaKeys
      .filter(canTranscribe)
      .map(({ id, name, transcriptions: used }) => ({ id, name: `“\u2068${name}\u2069”`, ...used })),
  ];
  return (
    <>
      <ul aria-label="Transcriptions">
        <UseRow
          name={people}
          about={shared ? "one quota for all of them" : ownQuotaKeys.length > 0 && "keys have quotas of their own"}
          {...transcriptions}
        />
        {ownQuotaKeys.map(({ id, name, lastFour, transcriptions: used }) => (
          <UseRow
            key={id}
            name={name}
            label={
              <Link to="/settings/keys/$keyId" params={{ keyId: id }}>
                <bdi>{name}</bdi>
              </Link>
            }
            about={
              <>
                key <bdi>…{lastFour}</bdi>
              </>
            }
            {...used}
          />
        ))}
      </ul>
      {users.map((user) => (
        <NearlyUsed key={user.id} {...user} />
      ))}
      {users
        .filter(({ used, limit }) => used >= limit)
        .map((user) => (
          <Note key={user.id} kind="bad" icon="warn">
            <p>{quotaSentence(user, larger)}</p>
          </Note>
        ))}
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly label?: ReactNode;
  readonly about: ReactNode;
  readonly used: number;
  readonly limit: number | null;
}

function UseRow({ name, label, about, used, limit }: RowProps) {
  return (
    <li className="usage-row">
      <div className="subject">
        <b className="semibold">{label ?? name}</b>
        {about && <p className="meta">{about}</p>}
      </div>
      <span className="gauge">{limit !== null && <Meter name={name} used={used} limit={limit} />}</span>
      <span>
        <bdi>
          <b className="semibold">{exactNumber(used)}</b>
          <span className="muted">{limit === null ? ", no limit" : ` of ${exactNumber(limit)}`}</span>
        </bdi>
      </span>
    </li>
  );
}
