import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Button, CopyButton } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { Input } from "../../../components/field.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { showToast } from "../../../components/toast.tsx";

export function ShareScript({ id }: { readonly id: string }) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        Share
      </Button>
      {open && (
        <Dialog onClose={() => setOpen(false)} title="Share this script">
          <p className="subtitle">
            Anyone with the link can read this transcript, with your corrections. They don’t need an account and can’t
            change anything.
          </p>
          <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
          <ErrorNote error={create.error ?? revoke.error} />
          {link !== undefined && (
            <Input label="Link" readOnly dir="ltr" value={link.url} onFocus={({ target }) => target.select()} />
          )}
          <p className="hint row wrap">
            {link !== undefined && (
              <a className="link" href={link.url} target="_blank" rel="noopener noreferrer">
                See what they see
              </a>
            )}
            <Link className="link" to="/settings/shared">
              All shared links
            </Link>
          </p>
          <DialogButtons>
            <Button onClick={() => setOpen(false)}>Close</Button>
            {link === undefined ? (
              <Button
                kind="ink"
                disabled={data === undefined}
                busy={create.isPending && "Creating…"}
                onClick={() => create.mutate({ id })}
              >
                Create link
              </Button>
            ) : (
              <>
                <Button
                  kind="danger"
                  busy={revoke.isPending && "Revoking…"}
                  onClick={() => revoke.mutate({ id: link.id })}
                >
                  Revoke link
                </Button>
                <CopyButton kind="ink" text={link.url} done="Copied the link">
                  Copy link
                </CopyButton>
              </>
            )}
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}
