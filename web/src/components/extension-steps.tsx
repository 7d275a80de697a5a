import type { ReactNode } from "react";
import { CopyButton } from "./button.tsx";

interface Props {
  /** True where copying the address is the main action of the page. */
  readonly isMain?: boolean;
  /** The last step. */
  readonly children: ReactNode;
}

/** How the browser extension is installed and connected, and what to do with it then. */
export const ExtensionSteps = ({ isMain = false, children }: Props) => (
  <div className="extension-steps stack">
    <ol>
      <li>
        <b>Install</b> the Reelscript extension in Chrome or Firefox, on a computer.
      </li>
      <li>
        <b>Connect</b> it: open the extension, choose Connect and enter the address of this page.
      </li>
      <li>{children}</li>
    </ol>
    <div className="row wrap">
      <CopyButton
        kind={isMain ? "ink" : undefined}
        size={isMain ? undefined : "small"}
        text={location.origin}
        done="Copied the address"
      >
        Copy address
      </CopyButton>
      <code>{location.origin}</code>
    </div>
  </div>
);
