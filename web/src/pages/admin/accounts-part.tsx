import type { PlanName } from "@reelscript/contract";
import type { Output } from "@reelscript/client/core";
import { plans } from "@reelscript/contract/values";
import { useState } from "react";
import { useChange, useOperationPages } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input, optionsOf, Select } from "../../components/field.tsx";
import { Chip, Moment } from "../../components/inline.tsx";
import { EmptyState, ErrorNote, PendingLines } from "../../components/page.tsx";
import { pauseMilliseconds, SearchField, useRested } from "../../components/search-field.tsx";
import { showToast } from "../../components/toast.tsx";
import { exactNumber, planName, shortDate } from "../../format.ts";
import { SecretDialog } from "../settings/secret-dialog.tsx";
import { SettingsRow } from "../settings/settings-tabs.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { MoreButton } from "./more-button.tsx";

type Accounts = Output<"listAccounts">;
type Account = Accounts["accounts"][number];
type Decision = { readonly kind: "plan" | "suspend" | "unsuspend"; readonly account: Account };

const planOptions = optionsOf(
  Object.fromEntries(Object.keys(plans).map((name) => [name, planName(name as PlanName)])) as Record<PlanName, string>, // safe: of all plans
);

export function AccountsPart({ invites }: { readonly invites: boolean }) {
  const [typed, setTyped] = useState("");
  const search = useRested(typed.trim(), "", pauseMilliseconds);
  const [decision, setDecision] = useState<Decision>();
  const [isInviting, setInviting] = useState(false);
  const list = useOperationPages("listAccounts", search === "" ? {} : { search }, { staleTime: 0, keepPrevious: true });
  const [first] = list.data?.pages ?? [];
  const accounts = list.data?.pages.flatMap((page) => page.accounts);
  return (
    <section className="stack" aria-label="Accounts">
      <div className="row wrap">
        <div className="grow">
          <SearchField label="Find accounts" placeholder="Email or id" value={typed} onChange={setTyped} />
        </div>
        {invites && (
          <Button kind="ink" icon="plus" onClick={() => setInviting(true)}>
            Invite
          </Button>
        )}
      </div>
      <ErrorNote error={list.data ? undefined : list.error} onRetry={() => void list.refetch()} />
      {accounts === undefined && !list.error && <PendingLines count={5} label="Loading the accounts" />}
      {accounts?.length === 0 && (
        <EmptyState title={search === "" ? "No accounts yet" : "No account begins like this"}>
          {search === ""
            ? "They appear here when people sign in."
            : "Type the beginning of the address, or the whole id."}
        </EmptyState>
      )}
      {first && accounts && accounts.length > 0 && (
        <ul className="sessions" aria-label="Accounts">
          {accounts.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              quotaScope={first.quotaScope}
              onDecide={(kind) => setDecision({ kind, account })}
            />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {decision?.kind === "plan" && <PlanDialog account={decision.account} onClose={() => setDecision(undefined)} />}
      {decision && decision.kind !== "plan" && (
        <SuspensionDialog account={decision.account} kind={decision.kind} onClose={() => setDecision(undefined)} />
      )}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </section>
  );
}

interface RowProps {
  readonly account: Account;
  readonly quotaScope: Accounts["quotaScope"];
  readonly onDecide: (kind: Decision["kind"]) => void;
}

function AccountRow({ account, quotaScope, onDecide }: RowProps) {
  const { id, email, plan, createdAt, suspendedAt, transcriptions } = account;
  const { used, held, limit, resetsAt } = transcriptions;
  const name = email === "" ? id : email;
  return (
    <SettingsRow
      name={<bdi className="breaks-anywhere">{name}</bdi>}
      state={
        <>
          <Chip>{planName(plan)}</Chip>
          {suspendedAt !== null && <Chip kind="bad">Suspended</Chip>}
        </>
      }
      facts={
        <>
          <span>
            {exactNumber(used)} used, {exactNumber(limit)} {quotaScope === "key" ? "per key" : "in all"}
            {held > 0 && `, ${exactNumber(held)} in the queue`}
          </span>
          <span>{resetsAt === null ? "Never resets" : `Resets ${shortDate(resetsAt)}`}</span>
          <span>
            Created: <Moment at={createdAt} style="long" />
          </span>
          <span className="breaks-anywhere">{id}</span>
        </>
      }
    >
      <div className="row wrap">
        <Button size="small" onClick={() => onDecide("plan")}>
          Plan<span className="visually-hidden"> of {name}</span>
        </Button>
        {suspendedAt === null ? (
          <Button size="small" kind="danger" onClick={() => onDecide("suspend")}>
            Suspend<span className="visually-hidden"> {name}</span>
          </Button>
        ) : (
          <Button size="small" onClick={() => onDecide("unsuspend")}>
            Unsuspend<span className="visually-hidden"> {name}</span>
          </Button>
        )}
      </div>
    </SettingsRow>
  );
}

const stale = ["listAccounts", "listAudit"] as const;

interface DialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

function PlanDialog({ account: { id, email, plan: present }, onClose }: DialogProps) {
  const [plan, setPlan] = useState(present);
  const change = useChange("changeAccountPlan", {
    stale,
    onDone: () => {
      onClose();
      showToast(`Now on ${planName(plan)}`);
    },
  });
  return (
    <DecisionDialog
      title="Change the plan"
      about={
        <>
          Of <bdi>{email || id}</bdi>. What it used in a month that has begun stays counted.
        </>
      }
      action="Change plan"
      busy="Changing…"
      change={change}
      onDecide={(reason) => change.mutate({ id, plan, reason })}
      onClose={onClose}
    >
      <Select label="Plan" value={plan} options={planOptions} onChange={setPlan} />
    </DecisionDialog>
  );
}

function SuspensionDialog({ account: { id, email }, kind, onClose }: DialogProps & Pick<Decision, "kind">) {
  const isEnd = kind === "unsuspend";
  const done = {
    stale,
    onDone: () => {
      onClose();
      showToast(isEnd ? "It works again" : "Suspended");
    },
  };
  const suspend = useChange("suspendAccount", done);
  const unsuspend = useChange("unsuspendAccount", done);
  const change = isEnd ? unsuspend : suspend;
  return (
    <DecisionDialog
      title={isEnd ? "Unsuspend this account?" : "Suspend this account?"}
      about={
        <>
          <bdi>{email || id}</bdi>{" "}
          {isEnd
            ? "works again, with the keys and sessions it had."
            : "is refused everywhere, and its running work ends, until you unsuspend it. Nothing of it is deleted."}
        </>
      }
      action={isEnd ? "Unsuspend" : "Suspend"}
      busy={isEnd ? "Unsuspending…" : "Suspending…"}
      kind={isEnd ? "ink" : "danger"}
      change={change}
      onDecide={(reason) => change.mutate({ id, reason })}
      onClose={onClose}
    />
  );
}

function mailText(isMailed: boolean | null): string {
  if (isMailed === null) return "";
  return isMailed ? "It was mailed, too. " : "It couldn’t be mailed. ";
}

function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [plan, setPlan] = useState<PlanName>("free");
  const [isWrong, setWrong] = useState(false);
  const invite = useChange("inviteAccount", { stale });
  const invited = invite.data;
  if (invited !== undefined)
    return (
      <SecretDialog
        title={invited.isReset ? "Copy the link for a new password" : "Copy the invitation now"}
        why={
          invited.isReset
            ? "It sets a new password once, and ends the account’s sessions. Send it to its owner."
            : "It sets the password once. Send it to its owner."
        }
        owner={<bdi>{invited.email}</bdi>}
        secret={invited.link}
        noun="link"
        lost={`${mailText(invited.isMailed)}It works once, for 7 days. Lost it? Invite the same address again.`}
        onClose={onClose}
      />
    );
  const submit = (): void => {
    const isAddress = /^\S+@\S+\.\S+$/.test(email.trim());
    setWrong(!isAddress);
    if (isAddress && !invite.isPending) invite.mutate({ email: email.trim(), plan });
  };
  return (
    <ChangeDialog
      onClose={onClose}
      title="Invite somebody"
      about="You get a link to send. For an address that has a password, it sets a new one."
      change={invite}
      onSubmit={submit}
      action="Make the link"
      busy="Making it…"
      noValidate
    >
      <Input
        label="Email"
        type="email"
        error={isWrong ? "Enter a full address, such as ada@example.com." : undefined}
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={(event) => {
          setEmail(event.target.value);
          setWrong(false);
        }}
      />
      <Select label="Plan of a new account" value={plan} options={planOptions} onChange={setPlan} />
    </ChangeDialog>
  );
}
