import { useBlocker } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Note } from "../../components/note.tsx";

interface Props {
  readonly title: string;
  readonly why: string;
  /** Whose secret it is. */
  readonly owner: ReactNode;
  readonly secret: string;
  /** What the secret is called: "key". */
  readonly noun: string;
  readonly lost: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** Shows a new secret, and closes only once it is said to be copied. */
export function SecretDialog({ title, why, owner, secret, noun, lost, onClose, children }: Props) {
  const [stored, setStored] = useState(false);
  const [copied, setCopied] = useState(false);
  const label = useId();
  // Neither the way back nor a closed window may lose it without a word.
  useBlocker({ shouldBlockFn: () => !stored, enableBeforeUnload: () => !stored });
  return (
    <Dialog open onClose={onClose} title={title} insistent>
      <p className="subtitle">{why}</p>
      <div className="field" role="group" aria-labelledby={label}>
        <span className="field-label" id={label}>
          {owner}
        </span>
        <div className="secret">
          <code dir="ltr">{secret}</code>
          <CopyButton kind="ink" text={secret} done={`Copied the ${noun}`} onCopied={() => setCopied(true)}>
            {`Copy ${noun}`}
          </CopyButton>
          <span className="visually-hidden" role="status">
            {copied ? "Copied" : ""}
          </span>
        </div>
      </div>
      {children}
      <Note kind="warn" icon="warn">
        {lost}
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
