import { useBlocker } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Output } from "../../../api/operation-types.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { Note } from "../../../components/note.tsx";

interface Props {
  readonly made: Output<"createWebhook">;
  readonly onClose: () => void;
}

/** Shows the secret of a new endpoint, and closes only once it is said to be copied. */
export function NewWebhookDialog({ made: { webhook, secret }, onClose }: Props) {
  const [stored, setStored] = useState(false);
  const [copied, setCopied] = useState(false);
  const label = useId();
  // Neither the way back nor a closed window may lose it without a word.
  useBlocker({ shouldBlockFn: () => !stored, enableBeforeUnload: () => !stored });
  return (
    <Dialog open onClose={onClose} title="Copy the signing secret now" insistent>
      <p className="subtitle">This is the only time we show it. Your server checks signatures with it.</p>
      <div className="field" role="group" aria-labelledby={label}>
        <span className="field-label" id={label}>
          <bdi dir="ltr">{webhook.url}</bdi>
        </span>
        <div className="secret">
          <code dir="ltr">{secret}</code>
          <CopyButton kind="ink" text={secret} done="Copied the secret" onCopied={() => setCopied(true)}>
            Copy secret
          </CopyButton>
          <span className="visually-hidden" role="status">
            {copied ? "Copied" : ""}
          </span>
        </div>
      </div>
      <Note kind="warn" icon="warn">
        Lost it? Delete the endpoint and add it again.
      </Note>
      <DialogButtons>
        <label className="row stored">
          <input type="checkbox" checked={stored} onChange={(event) => setStored(event.target.checked)} />I have copied
          it
        </label>
        <Button kind="quiet" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
