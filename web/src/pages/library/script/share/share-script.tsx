import { useState } from "react";
import { useChange } from "../../../../api/use-change.ts";
import { useOperation } from "../../../../api/use-operation.ts";
import { Button } from "../../../../components/button.tsx";
import { CopyButton } from "../../../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../../../components/dialog.tsx";
import { ErrorNote } from "../../../../components/error-note.tsx";
import { Input } from "../../../../components/field.tsx";
import { LinkButton } from "../../../../components/link-button.tsx";
import { showToast } from "../../../../components/toast/toast.ts";

/** Opens a dialog in which the script gets a link, or loses it. */
export function ShareScript({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <>
      <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
        {link === undefined ? "Share script" : "Shared by link"}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Share this script">
        <p className="subtitle">
          Anyone with the link can read this transcript, with your corrections. They don’t need an account and can’t
          change anything.
        </p>
        <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
        <ErrorNote error={create.error ?? revoke.error} />
        {link !== undefined && (
          <>
            <Input label="Link" readOnly dir="ltr" value={link.url} onFocus={({ target }) => target.select()} />
            <p className="hint">
              <a className="link" href={link.url} target="_blank" rel="noopener noreferrer">
                See what they see
              </a>
            </p>
          </>
        )}
        <DialogButtons>
          {link === undefined ? (
            <Button
              disabled={data === undefined}
              busy={create.isPending ? "Creating…" : undefined}
              onClick={() => create.mutate({ id })}
            >
              Create link
            </Button>
          ) : (
            <>
              <CopyButton kind="ink" text={link.url} done="Copied the link">
                Copy link
              </CopyButton>
              <Button
                kind="danger"
                busy={revoke.isPending ? "Revoking…" : undefined}
                onClick={() => revoke.mutate({ id: link.id })}
              >
                Revoke link
              </Button>
            </>
          )}
          <LinkButton kind="ghost" to="/settings/shared">
            All shared links
          </LinkButton>
        </DialogButtons>
      </Dialog>
    </>
  );
}
