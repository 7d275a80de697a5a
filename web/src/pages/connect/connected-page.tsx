import { useState } from "react";
import { LinkButton } from "../../components/button.tsx";
import { usePageTitle } from "../../components/page-header.tsx";
import { Brand } from "../../shell/brand.tsx";

/** What is left in the tab once the extension was answered. */
export function ConnectedPage() {
  const [approved] = useState(() => new URLSearchParams(location.hash.slice(1)).has("code"));
  const title = approved ? "Return to the extension" : "Not connected";
  usePageTitle(title);
  return (
    <div className="alone connect">
      <header>
        <Brand />
      </header>
      <main id="main">
        <h1 tabIndex={-1}>{title}</h1>
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
      </main>
    </div>
  );
}
