import { CopyButton } from "../../../components/copy-button.tsx";

/** How a report is made with the browser extension. */
export function ExtensionSteps({ open }: { readonly open: boolean }) {
  return (
    <details className="extension-steps" open={open}>
      <summary>Create a report with the browser extension</summary>
      <ol>
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
        <li>
          <b>Analyze</b>: open an account’s profile on Instagram and choose Analyze. The report appears here.
        </li>
      </ol>
    </details>
  );
}
