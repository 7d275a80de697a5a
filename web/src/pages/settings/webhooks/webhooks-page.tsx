import { useEffect, useState } from "react";
import type { Webhook } from "@reelscript/contract";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader } from "../../../components/page.tsx";
import { showToast } from "../../../components/toast.tsx";
import { Allowance, SettingsTabs, SettingsRow } from "../settings-tabs.tsx";
import { useKeptForm } from "../../../api/kept-drafts.ts";
import { ChangeDialog, ConfirmDialog, focusTitle } from "../../../components/dialog.tsx";
import { Input } from "../../../components/field.tsx";
import { SecretDialog } from "../secret-dialog.tsx";
import { Chip, Moment } from "../../../components/inline.tsx";

/** A test is sent within seconds, and fails after five. */
const lookMilliseconds = 1_000;
const longestWait = 15_000;

interface Awaited {
  readonly id: string;
  /** The time of the previous delivery, before the test. */
  readonly before: string | undefined;
}

export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Webhook>();
  const [awaited, setAwaited] = useState<Awaited>();
  const { data, error, refetch } = useOperation(
    "listWebhooks",
    {},
    { staleTime: 0, refetchInterval: awaited ? lookMilliseconds : false },
  );
  const test = useChange("testWebhook");
  const enable = useChange("enableWebhook", {
    stale: ["listWebhooks"],
    onDone: () => showToast("Endpoint enabled"),
  });
  const tested = data?.webhooks.find(({ id }) => id === awaited?.id);
  const isAnswered = awaited !== undefined && tested?.last?.at !== awaited.before;
  useEffect(() => {
    if (awaited === undefined) return undefined;
    const end = (): void => setAwaited(undefined);
    const timer = setTimeout(end, isAnswered ? 0 : longestWait);
    return () => clearTimeout(timer);
  }, [awaited, isAnswered]);
  const sendTest = ({ id, last }: Webhook): void =>
    test.mutate({ id }, { onSuccess: () => setAwaited({ id, before: last?.at }) });
  return (
    <>
      <PageHeader title="Webhooks" sub="We send a signed request when a transcription is done or failed.">
        {data?.webhooks.length !== 0 && (
          <Allowance
            used={data?.webhooks.length}
            limit={data?.limit}
            full="endpoints. Delete one first."
            onCreate={() => setCreating(true)}
          >
            New endpoint
          </Allowance>
        )}
      </PageHeader>
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={test.error ?? enable.error} />
      {data === undefined && !error && <PendingLines count={2} label="Loading the endpoints" />}
      {data?.webhooks.length === 0 && (
        <EmptyState title="No endpoints yet" kind="ink" action="Add an endpoint" onAction={() => setCreating(true)}>
          Get notified when a transcription finishes.
        </EmptyState>
      )}
      {data && data.webhooks.length > 0 && (
        <WebhookList
          webhooks={data.webhooks}
          testing={test.isPending ? test.variables.id : awaited?.id}
          enabling={enable.isPending ? enable.variables.id : undefined}
          onTest={sendTest}
          onEnable={({ id }) => enable.mutate({ id })}
          onDelete={setDeleting}
        />
      )}
      {creating && <CreateWebhookDialog onClose={() => setCreating(false)} />}
      {deleting && <DeleteWebhookDialog of={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

interface DeleteProps {
  readonly of: Webhook;
  readonly onClose: () => void;
}

function DeleteWebhookDialog({ of: { id, url }, onClose }: DeleteProps) {
  const remove = useChange("deleteWebhook", { stale: ["listWebhooks"] });
  const onSuccess = (): void => {
    onClose();
    showToast("Endpoint deleted");
    focusTitle();
  };
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      change={remove}
      onClose={onClose}
      onConfirm={() => remove.mutate({ id }, { onSuccess })}
      action="Delete endpoint"
      busy="Deleting…"
    >
      Nothing more is sent to <bdi dir="ltr">{url}</bdi>, and its secret stops working.
    </ConfirmDialog>
  );
}

function CreateWebhookDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useKeptForm("webhook", "");
  const [wrong, setWrong] = useState(false);
  const create = useChange("createWebhook", { stale: ["listWebhooks"], onDone: () => setUrl("") });
  const created = create.data;
  const close = (): void => {
    setUrl("");
    onClose();
  };
  const submit = (): void => {
    const given = url.trim();
    const isUrl = /^https?:\/\//i.test(given) && URL.canParse(given);
    setWrong(!isUrl);
    if (isUrl && !create.isPending) create.mutate({ url: given });
  };
  if (created !== undefined)
    return (
      <SecretDialog
        title="Copy the signing secret now"
        why="This is the only time we show it. Your server checks signatures with it."
        owner={<bdi dir="ltr">{created.webhook.url}</bdi>}
        secret={created.secret}
        noun="secret"
        lost="Lost it? Rotate the secret."
        onClose={close}
      />
    );
  return (
    <ChangeDialog
      onClose={close}
      title="New endpoint"
      change={create}
      onSubmit={submit}
      action="Add endpoint"
      busy="Adding…"
      noValidate
    >
      <Input
        label="Address"
        hint="An https address on the public internet. It must answer 2xx within 5 seconds."
        error={wrong ? "Enter a full address that starts with https://." : undefined}
        placeholder="https://example.com/hooks/reelscript"
        type="url"
        dir="ltr"
        maxLength={2_048}
        autoComplete="off"
        value={url}
        onChange={(event) => {
          setUrl(event.target.value);
          setWrong(false);
        }}
      />
    </ChangeDialog>
  );
}

interface ListProps {
  readonly webhooks: readonly Webhook[];
  readonly testing: string | undefined;
  readonly enabling: string | undefined;
  readonly onTest: (webhook: Webhook) => void;
  readonly onEnable: (webhook: Webhook) => void;
  readonly onDelete: (webhook: Webhook) => void;
}

function WebhookList({ webhooks, testing, enabling, onTest, onEnable, onDelete }: ListProps) {
  return (
    <ul className="sessions" aria-label="Webhook endpoints">
      {webhooks.map((webhook) => (
        <SettingsRow
          key={webhook.id}
          className="webhook"
          name={<bdi dir="ltr">{webhook.url}</bdi>}
          state={<WebhookState {...webhook} />}
          facts={<LastAttempt webhook={webhook} />}
          live
        >
          <div className="row wrap">
            {webhook.disabledAt !== null && (
              <Button size="small" busy={enabling === webhook.id && "Enabling…"} onClick={() => onEnable(webhook)}>
                Enable<span className="visually-hidden"> {webhook.url}</span>
              </Button>
            )}
            <LinkButton size="small" to="/settings/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
              View log<span className="visually-hidden"> of {webhook.url}</span>
            </LinkButton>
            <Button
              size="small"
              busy={testing === webhook.id && "Sending…"}
              disabled={testing !== undefined && testing !== webhook.id}
              onClick={() => onTest(webhook)}
            >
              Send test event<span className="visually-hidden"> to {webhook.url}</span>
            </Button>
            <Button kind="danger" size="small" onClick={() => onDelete(webhook)}>
              Delete<span className="visually-hidden"> {webhook.url}</span>
            </Button>
          </div>
        </SettingsRow>
      ))}
    </ul>
  );
}

export function WebhookState({ disabledAt, failingSince }: Webhook) {
  if (disabledAt !== null)
    return <Chip kind="bad">{failingSince === null ? "Disabled with its key" : "Disabled after failures"}</Chip>;
  return failingSince !== null && <Chip kind="warn">Failing</Chip>;
}

function LastAttempt({ webhook: { last } }: { readonly webhook: Webhook }) {
  if (last === null) return <span>Nothing sent yet</span>;
  return (
    <>
      <span>{webhookOutcome(last)}</span>
      <span>
        {last.event} · <Moment at={last.at} />
      </span>
    </>
  );
}

function webhookOutcome({ status, problem }: NonNullable<Webhook["last"]>): string {
  switch (problem) {
    case null:
      return `Delivered (${status})`;
    case "status":
      return status !== null && status >= 300 && status < 400
        ? `Your server redirected (${status}). Enter the final address.`
        : `Your server answered ${status}. It must answer 2xx.`;
    case "timeout":
      return "No answer within 5 seconds";
    case "refused":
      return "The address isn’t on the public internet";
    case "unreachable":
      return "Couldn’t connect to your server";
  }
}
