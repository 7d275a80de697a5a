import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button, CopyButton } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { Input } from "./field.tsx";
import { ErrorNote } from "./page.tsx";

interface Props {
  readonly title: string;
  readonly about: string;
  readonly links: { readonly data: object | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  /** Omitted if nothing is shared yet. */
  readonly url: string | undefined;
  readonly create: SharingChange;
  readonly revoke: SharingChange;
  /** Fields that describe what is shared. */
  readonly children?: ReactNode;
  /** Shown next to the link's buttons. */
  readonly further?: ReactNode;
}

interface SharingChange {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onClick: () => void;
}

/** A button whose dialog creates a public link, shows it, and revokes it. */
export function ShareButton(props: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="share" onClick={() => setOpen(true)}>
        Share
      </Button>
      {isOpen && <ShareDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DialogProps extends Props {
  readonly onClose: () => void;
}

function ShareDialog({ title, about, links, url, create, revoke, children, further, onClose }: DialogProps) {
  const { data, error, refetch } = links;
  return (
    <Dialog onClose={onClose} title={title}>
      <p className="subtitle">{about}</p>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={create.error ?? revoke.error} />
      {children}
      {url !== undefined && (
        <Input label="Link" readOnly dir="ltr" value={url} onFocus={({ target }) => target.select()} />
      )}
      <p className="hint row wrap">
        {url !== undefined && (
          <a className="link" href={url} target="_blank" rel="noopener noreferrer">
            See what they see
          </a>
        )}
        <Link className="link" to="/settings/shared">
          All shared links
        </Link>
      </p>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        {url === undefined ? (
          <Button
            kind="ink"
            disabled={data === undefined}
            busy={create.isPending && "Creating…"}
            onClick={create.onClick}
          >
            Create link
          </Button>
        ) : (
          <>
            <Button kind="danger" busy={revoke.isPending && "Revoking…"} onClick={revoke.onClick}>
              Revoke link
            </Button>
            {further}
            <CopyButton kind="ink" text={url} done="Copied the link">
              Copy link
            </CopyButton>
          </>
        )}
      </DialogButtons>
    </Dialog>
  );
}
