import { useBlocker } from "@tanstack/react-router";
import { Fragment, useId, useState, type ReactNode } from "react";
import { Button, CopyButton } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Note } from "../../components/page.tsx";

interface SecretDialogProps {
  readonly title: string;
  readonly why: string;
  readonly owner: ReactNode;
  readonly secret: string;
  readonly noun: string;
  readonly lost: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function SecretDialog({ title, why, owner, secret, noun, lost, onClose, children }: SecretDialogProps) {
  const [stored, setStored] = useState(false);
  const [copied, setCopied] = useState(false);
  const label = useId();
  // Going back or closing the window needs a confirmation, because the secret would be lost.
  useBlocker({ shouldBlockFn: () => !stored, enableBeforeUnload: () => !stored });
  return (
    <Dialog onClose={onClose} title={title} insistent>
      <p className="subtitle">{why}</p>
      <div className="field" role="group" aria-labelledby={label}>
        <span className="field-label" id={label}>
          {owner}
        </span>
        <div className="secret stack tight">
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
        <Button disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Long addresses break after slashes only. */
const BreaksInAddresses = ({ text }: { readonly text: string }) => (
  <span>
    {text.split(/(?<=[^/]\/)(?=[^/])/).map((part, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </span>
);

/** Strings in quotation marks are yellow. */
const CodeLine = ({ line }: { readonly line: string }) => (
  <span className="code-line">
    {line
      .split(/("[^"]*")/)
      .map((part, index) =>
        index % 2 === 1 ? <b key={index}>{part}</b> : <BreaksInAddresses key={index} text={part} />,
      )}
  </span>
);

interface CodeBlockProps {
  readonly label: string;
  readonly code: string;
}

export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <div className="code-block">
      <pre dir="ltr" role="group" aria-label={label}>
        <code>
          {code.split(/(?<=\n)/).map((line, index) => (
            <CodeLine key={index} line={line} />
          ))}
        </code>
      </pre>
      <CopyButton size="small" iconOnly text={code} done="Copied the command">
        Copy command
      </CopyButton>
    </div>
  );
}

/** A request that returns immediately and isn't charged. */
export const firstCurl = (origin: string, key: string): string =>
  `curl ${origin}/api/v1/me \\\n  -H "Authorization: Bearer ${key}"`;

export const transcribeCurl = (origin: string, key: string): string =>
  `curl ${origin}/api/v1/transcribe \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"url":"LINK_OF_A_REEL"}'`;

export const mcpCommand = (origin: string, key: string): string =>
  `claude mcp add --transport http reelscript ${origin}/mcp \\\n  --header "Authorization: Bearer ${key}"`;
