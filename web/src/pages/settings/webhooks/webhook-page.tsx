import type { Webhook, WebhookDelivery } from "@reelscript/contract";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState, ErrorNote, PendingLines, PageHeader, TableHead } from "../../../components/page.tsx";
import { ScrolledTable } from "../../../components/scrolled-table.tsx";
import { Moment, Chip } from "../../../components/inline.tsx";
import { showToast } from "../../../components/toast.tsx";
import { WebhookState } from "./webhooks-page.tsx";
import { ChangeDialog } from "../../../components/dialog.tsx";
import { SecretDialog } from "../secret-dialog.tsx";

const route = getRouteApi("/shell/settings/webhooks/$webhookId");

export function WebhookPage() {
  const { webhookId: id } = route.useParams();
  const endpoints = useOperation("listWebhooks", {}, { staleTime: 0 });
  const { data, error, refetch, isFetching } = useOperation("listWebhookDeliveries", { id }, { staleTime: 0 });
  const [isRotating, setRotating] = useState(false);
  const again = useChange("redeliverWebhook", {
    stale: ["listWebhookDeliveries"],
    onDone: () => showToast("Sending it again"),
  });
  const crumb = { to: "/settings/webhooks", label: "Webhooks" };
  const webhook = endpoints.data?.webhooks.find((one) => one.id === id);
  if (endpoints.data !== undefined && webhook === undefined)
    return (
      <>
        <PageHeader title="Endpoint not found" crumb={crumb} />
        <EmptyState title="You don’t have this endpoint" kind="ink" to="/settings/webhooks" action="All endpoints">
          It may have been deleted.
        </EmptyState>
      </>
    );
  return (
    <>
      <PageHeader
        title="Endpoint"
        crumb={crumb}
        sub={
          <span className="two-lines webhook">
            <span className="row wrap">
              <b>
                <bdi dir="ltr">{webhook?.url ?? "\u00A0"}</bdi>
              </b>
              {webhook && <WebhookState {...webhook} />}
            </span>
            <span className="row wrap">{webhook ? <Dates of={webhook} /> : "\u00A0"}</span>
          </span>
        }
      >
        <Button busy={isFetching && data && "Loading…"} onClick={() => void refetch()}>
          Refresh
        </Button>
        <Button disabled={webhook === undefined} onClick={() => setRotating(true)}>
          Rotate secret
        </Button>
      </PageHeader>
      <ErrorNote error={error ?? endpoints.error} onRetry={() => void refetch()} />
      <ErrorNote error={again.error} />
      <section className="stack tight">
        <h2>Recent events</h2>
        {data === undefined && !error && <PendingLines count={5} label="Loading events" low />}
        {data?.deliveries.length === 0 && (
          <EmptyState title="Nothing sent yet">Finished transcriptions and test events will appear here.</EmptyState>
        )}
        {data && data.deliveries.length > 0 && (
          <DeliveryTable
            deliveries={data.deliveries}
            sending={again.isPending ? again.variables.deliveryId : undefined}
            onSend={webhook?.disabledAt === null ? (deliveryId) => again.mutate({ id, deliveryId }) : undefined}
          />
        )}
        <p className="hint">The last 50 events of the last 5 days.</p>
      </section>
      {isRotating && webhook && <RotateSecretDialog of={webhook} onClose={() => setRotating(false)} />}
    </>
  );
}

function Dates({ of: { createdAt, formerSecretUntil } }: { readonly of: Webhook }) {
  return (
    <>
      <span>
        Created: <Moment at={createdAt} style="long" />
      </span>
      {formerSecretUntil !== null && (
        <span>
          Former secret signs until <Moment at={formerSecretUntil} style="long" />
        </span>
      )}
    </>
  );
}

interface RotateProps {
  readonly of: Webhook;
  readonly onClose: () => void;
}

function RotateSecretDialog({ of: { id, url }, onClose }: RotateProps) {
  const rotate = useChange("rotateWebhook", { stale: ["listWebhooks"] });
  if (rotate.data !== undefined)
    return (
      <SecretDialog
        title="Copy the new secret now"
        why="This is the only time we show it. For 24 hours, events carry signatures of both secrets."
        owner={<bdi dir="ltr">{url}</bdi>}
        secret={rotate.data.secret}
        noun="secret"
        lost="Lost it? Rotate the secret again."
        onClose={onClose}
      />
    );
  return (
    <ChangeDialog
      onClose={onClose}
      title="Rotate the signing secret?"
      change={rotate}
      onSubmit={() => rotate.mutate({ id })}
      action="Rotate secret"
      busy="Rotating…"
    >
      <p className="subtitle">
        The current secret signs for another 24 hours, together with the new one. If it leaked, rotate twice.
      </p>
    </ChangeDialog>
  );
}

interface DeliveryProps {
  readonly deliveries: readonly WebhookDelivery[];
  readonly sending: string | undefined;
  /** Renders nothing while the endpoint is disabled. */
  readonly onSend: ((deliveryId: string) => void) | undefined;
}

function DeliveryTable({ deliveries, sending, onSend }: DeliveryProps) {
  return (
    <ScrolledTable className="requests deliveries" label="Recent events">
      <TableHead columns={["Time", "Event", "Attempts", "Result", { hidden: "Actions" }]} />
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td className="meta">
              <Moment at={delivery.createdAt} style="log" />
            </td>
            <td>
              <code>{delivery.event}</code>
            </td>
            <td className="meta">
              {delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`}
              {delivery.nextAttemptAt !== null && (
                <>
                  , next <Moment at={delivery.nextAttemptAt} style="log" />
                </>
              )}
            </td>
            <td>
              <Result {...delivery} />
            </td>
            <td>
              <Button
                size="small"
                busy={sending === delivery.id && "Sending…"}
                disabled={onSend === undefined || (sending !== undefined && sending !== delivery.id)}
                onClick={() => onSend?.(delivery.id)}
              >
                Send again<span className="visually-hidden"> {delivery.id}</span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}

const failures = {
  status: "Refused",
  timeout: "No answer",
  unreachable: "No connection",
  refused: "Address not allowed",
} as const;

function Result({ attemptedAt, status, problem }: WebhookDelivery) {
  if (attemptedAt === null) return <Chip>Waiting</Chip>;
  return (
    <Chip kind={problem === null ? "ok" : "bad"}>
      {status !== null && <bdi>{status} </bdi>}
      {problem === null ? "Delivered" : failures[problem]}
    </Chip>
  );
}
