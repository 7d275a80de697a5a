import type { ReactNode } from "react";
import { CopyButton } from "./button.tsx";

interface Props {
  readonly summary: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}

export function ExtensionSteps({ summary, open = false, children }: Props) {
  return (
    <details className="extension-steps" open={open}>
      <summary className="semibold">{summary}</summary>
      <ol className="stack tight">
        <li>
          <b>Install</b> the Reelscript extension in Chrome or Firefox.
        </li>
        <li>
          <b>Connect</b> it: open the extension, choose Connect and enter this address:{" "}
          <span className="row wrap">
            <code>{location.origin}</code>
            <CopyButton size="small" text={location.origin} done="Copied the address">
              Copy address
            </CopyButton>
          </span>
        </li>
        <li>{children}</li>
      </ol>
    </details>
  );
}
