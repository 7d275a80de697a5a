import type { Webhook } from "@reelscript/contract";
import { Button, LinkButton } from "../../../components/button.tsx";
import { SettingsRow } from "../settings-tabs.tsx";
import { Chip, Moment } from "../../../components/inline.tsx";

interface Props {
  readonly webhooks: readonly Webhook[];
  readonly testing: string | undefined;
  readonly enabling: string | undefined;
  readonly onTest: (webhook: Webhook) => void;
  readonly onEnable: (webhook: Webhook) => void;
  readonly onDelete: (webhook: Webhook) => void;
}

export function WebhookList({ webhooks, testing, enabling, onTest, onEnable, onDelete }: Props) {
  return (
    <ul className="sessions" aria-label="Webhook endpoints">
      {webhooks.map((webhook) => (
        <SettingsRow
          key={webhook.id}
          className="webhook"
          name={<bdi dir="ltr">{webhook.url}</bdi>}
          state={<WebhookState {...webhook} />}
          facts={<LastAttempt last={webhook.last} />}
          live
        >
          <div className="row wrap">
            {webhook.disabledAt !== null && (
              <Button
                kind="quiet"
                size="small"
                busy={enabling === webhook.id && "Enabling…"}
                onClick={() => onEnable(webhook)}
              >
                Enable<span className="visually-hidden"> {webhook.url}</span>
              </Button>
            )}
            <LinkButton kind="quiet" size="small" to="/settings/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
              View log<span className="visually-hidden"> of {webhook.url}</span>
            </LinkButton>
            <Button
              kind="quiet"
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
  if (disabledAt !== null) return <Chip kind="bad">Disabled after failures</Chip>;
  return failingSince !== null && <Chip kind="warn">Failing</Chip>;
}

function LastAttempt({ last }: Pick<Webhook, "last">) {
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
