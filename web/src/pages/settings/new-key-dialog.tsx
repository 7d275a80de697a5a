import { useBlocker } from "@tanstack/react-router";
import { useId, useState } from "react";
import type { Output } from "../../api/operation-types.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Note } from "../../components/note.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { CodeBlock } from "./code-block.tsx";
import { firstCurl, mcpCommand } from "./first-calls.ts";

interface Props {
  readonly made: Output<"createKey">;
  readonly onClose: () => void;
}

/** Shows a new key, and closes only once it is said to be copied. */
export function NewKeyDialog({ made: { key, secret }, onClose }: Props) {
  const [stored, setStored] = useState(false);
  const [copied, setCopied] = useState(false);
  const [use, setUse] = useState<"shell" | "mcp">("shell");
  const label = useId();
  // Neither the way back nor a closed window may lose it without a word.
  useBlocker({ shouldBlockFn: () => !stored, enableBeforeUnload: () => !stored });
  return (
    <Dialog open onClose={onClose} title="Copy your key now" insistent>
      <p className="subtitle">This is the only time we show it. We keep a hash, not the key.</p>
      <div className="field" role="group" aria-labelledby={label}>
        <span className="field-label" id={label}>
          <bdi>{key.name}</bdi>
        </span>
        <div className="secret">
          <code dir="ltr">{secret}</code>
          <CopyButton kind="ink" text={secret} done="Copied the key" onCopied={() => setCopied(true)}>
            Copy key
          </CopyButton>
          <span className="visually-hidden" role="status">
            {copied ? "Copied" : ""}
          </span>
        </div>
      </div>
      <div className="stack tight">
        <Tabs
          label="Use it"
          chosen={use}
          onChoose={setUse}
          tabs={[
            {
              name: "shell",
              label: "Try it with curl",
              content: () => <CodeBlock label="Request with the new key" code={firstCurl(location.origin, secret)} />,
            },
            {
              name: "mcp",
              label: "Add it to Claude Code",
              content: () => (
                <CodeBlock label="Command that adds the MCP server" code={mcpCommand(location.origin, secret)} />
              ),
            },
          ]}
        />
      </div>
      <Note kind="warn" icon="warn">
        Lost it? Revoke it and create another. Used transcriptions aren't refunded.
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
