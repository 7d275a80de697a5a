import { cutVisible, longestReportTitle } from "@reelscript/contract/values";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useChange, useOperation } from "../api/use-operation.ts";
import { Button, CopyButton } from "./button.tsx";
import { Dialog, DialogButtons } from "./dialog.tsx";
import { Input } from "./field.tsx";
import { ErrorNote } from "./page.tsx";
import { SendButton } from "./send-button.tsx";
import { showToast } from "./toast.tsx";

/** Shares a script by a link. */
export function ShareScript({ id }: { readonly id: string }) {
  const links = useOperation("listShareLinks", {}, { staleTime: 0 });
  const link = links.data?.links.find(({ scriptId }) => scriptId === id);
  const stale = ["listShareLinks"] as const;
  const create = useChange("createShareLink", { stale });
  const revoke = useChange("revokeShareLink", { stale, onDone: () => showToast("Link revoked") });
  return (
    <ShareButton
      title="Share this script"
      about="Anyone with the link can read this transcript, with your corrections. They don’t need an account and can’t change anything."
      links={links}
      url={link?.url}
      create={{ isPending: create.isPending, error: create.error, onClick: () => create.mutate({ id }) }}
      revoke={{
        isPending: revoke.isPending,
        error: revoke.error,
        onClick: () => link && revoke.mutate({ id: link.id }),
      }}
    />
  );
}

/** Shares a report by a link, under a custom title. */
export function ShareReport({ id }: { readonly id: string }) {
  const links = useOperation("listReportLinks", {}, { staleTime: 0 });
  const link = links.data?.links.find(({ reportId }) => reportId === id);
  const [typed, setTyped] = useState<string>();
  const title = typed ?? link?.title ?? "";
  const stale = ["listReportLinks"] as const;
  const create = useChange("createReportLink", { stale });
  const revoke = useChange("revokeReportLink", { stale, onDone: () => showToast("Link revoked") });
  const share = (): void => create.mutate({ id, ...(title.trim() !== "" && { title: title.trim() }) });
  return (
    <ShareButton
      title="Share this report"
      about="Anyone with the link can read this report, print it or save it as a PDF. They don’t need an account, and see none of your other reports."
      links={links}
      url={link?.url}
      create={{ isPending: create.isPending, error: create.error, onClick: share }}
      revoke={{
        isPending: revoke.isPending,
        error: revoke.error,
        onClick: () => link && revoke.mutate({ id: link.id }),
      }}
      further={
        title.trim() !== (link?.title ?? "") && (
          <Button busy={create.isPending && "Saving…"} onClick={share}>
            Save title
          </Button>
        )
      }
    >
      <Input
        label="Title"
        hint="Stands above the report, for example the name of your agency and of its client."
        value={title}
        onChange={({ target }) => setTyped(cutVisible(target.value, longestReportTitle))}
      />
    </ShareButton>
  );
}

interface ShareButtonProps {
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
function ShareButton(props: ShareButtonProps) {
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

interface DialogProps extends ShareButtonProps {
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
            <SendButton url={url} />
            <CopyButton kind="ink" text={url} done="Copied the link">
              Copy link
            </CopyButton>
          </>
        )}
      </DialogButtons>
    </Dialog>
  );
}
