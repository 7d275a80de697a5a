import { useState } from "react";
import { useChange } from "../../../api/use-change.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Input } from "../../../components/field.tsx";
import type { Output } from "../../../api/operation-types.ts";
import { NewWebhookDialog } from "./new-webhook-dialog.tsx";

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for an address, then shows the secret once. */
export function CreateWebhookDialog({ open, onClose }: Props) {
  const [made, setMade] = useState<Output<"createWebhook">>();
  const [url, setUrl] = useState("");
  const [wrong, setWrong] = useState(false);
  const create = useChange("createWebhook", {
    stale: ["listWebhooks"],
    onDone: (output) => setMade(output),
  });
  const close = (): void => {
    setMade(undefined);
    setUrl("");
    setWrong(false);
    // The secret is kept nowhere once it was shown.
    create.reset();
    onClose();
  };
  const submit = (): void => {
    const given = url.trim();
    const isUrl = /^https?:\/\//i.test(given) && URL.canParse(given);
    setWrong(!isUrl);
    if (isUrl && !create.isPending) create.mutate({ url: given });
  };
  if (open && made !== undefined) return <NewWebhookDialog made={made} onClose={close} />;
  return (
    <Dialog open={open} onClose={close} title="New endpoint" insistent={create.isPending}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
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
        <ErrorNote error={create.error} onRetry={submit} />
        <DialogButtons>
          <Button kind="quiet" onClick={close} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" busy={create.isPending ? "Adding…" : undefined}>
            Add endpoint
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
