import { useEffect, useState } from "react";
import type { Webhook } from "@reelscript/contract";
import { useChange } from "../../../api/use-change.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { showToast } from "../../../components/toast/toast.ts";
import { exactNumber } from "../../../format/number.ts";
import { CreateWebhookDialog } from "./create-webhook-dialog.tsx";
import { DeleteWebhookDialog } from "./delete-webhook-dialog.tsx";
import { PendingLines } from "../pending-lines.tsx";
import { SettingsTabs } from "../settings-tabs.tsx";
import { WebhookList } from "./webhook-list.tsx";

/** A test is sent within seconds, or given up after five. */
const lookMilliseconds = 1_000;
const longestWait = 15_000;

interface Awaited {
  readonly id: string;
  /** When it was sent to last, before the test. */
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
  const isAnswered = awaited !== undefined && lastOf(data?.webhooks, awaited.id) !== awaited.before;
  useEffect(() => {
    if (awaited === undefined) return undefined;
    const end = (): void => setAwaited(undefined);
    const timer = setTimeout(end, isAnswered ? 0 : longestWait);
    return () => clearTimeout(timer);
  }, [awaited, isAnswered]);
  const sendTest = ({ id, last }: Webhook): void =>
    test.mutate({ id }, { onSuccess: () => setAwaited({ id, before: last?.at }) });
  const full = data !== undefined && data.webhooks.length >= data.limit;
  const counts =
    data === undefined
      ? "Counting…"
      : full
        ? `You’ve reached the limit of ${exactNumber(data.limit)} endpoints. Delete one first.`
        : `${exactNumber(data.webhooks.length)} of ${exactNumber(data.limit)}`;
  return (
    <>
      <PageHeader title="Webhooks" sub="We send a signed request when a transcription is done or failed.">
        <span className="meta" id="webhook-count">
          {counts}
        </span>
        <Button
          icon="plus"
          disabled={data === undefined || full}
          aria-describedby="webhook-count"
          onClick={() => setCreating(true)}
        >
          New endpoint
        </Button>
      </PageHeader>
      <SettingsTabs />
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={test.error ?? enable.error} />
      {data === undefined && !error && <PendingLines count={2} label="Loading the endpoints" />}
      {data?.webhooks.length === 0 && (
        <EmptyState
          title="No endpoints yet"
          action={
            <Button kind="quiet" onClick={() => setCreating(true)}>
              Add an endpoint
            </Button>
          }
        >
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
      <CreateWebhookDialog open={creating} onClose={() => setCreating(false)} />
      <DeleteWebhookDialog of={deleting} onClose={() => setDeleting(undefined)} />
    </>
  );
}

const lastOf = (webhooks: readonly Webhook[] | undefined, id: string): string | undefined =>
  webhooks?.find((webhook) => webhook.id === id)?.last?.at;
