import { useState } from "react";
import { LinkButton } from "../../components/button.tsx";
import { AlonePage } from "../../shell/alone-page.tsx";

/** What is left in the tab once the extension was answered. */
export function ConnectedPage() {
  const [approved] = useState(() => new URLSearchParams(location.hash.slice(1)).has("code"));
  return (
    <AlonePage title={approved ? "Return to the extension" : "Not connected"}>
      <p className="subtitle">
        {approved
          ? "You approved the connection, and the extension is finishing it. You can close this tab."
          : "The extension has no access to your account. You can close this tab."}
      </p>
      <div className="row wrap">
        <LinkButton kind="quiet" to="/settings/sessions">
          See your sessions
        </LinkButton>
      </div>
    </AlonePage>
  );
}
