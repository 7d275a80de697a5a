import { useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { PasteForm } from "../transcribe/paste-form.tsx";
import { transcribeQueue } from "../transcribe/transcribe-queue.ts";

/** Where a new person begins: the field to paste into, and a reel to try. */
export function EmptyLibrary() {
  const navigate = useNavigate();
  const session = useOperation("getSession", {}, { staleTime: 300_000 }).data;
  const queue = session && transcribeQueue(session.account.id);
  const start = (reels: readonly string[], languageHint?: string): void => {
    queue?.add(reels.map((url) => ({ url, ...(languageHint && { languageHint }) })));
    void navigate({ to: "/transcribe" });
  };
  const sample = session?.sampleReelUrl;
  return (
    <section className="stack first-reel" aria-labelledby="first-reel">
      <div>
        <h2 id="first-reel">Transcribe your first reel</h2>
        <p className="subtitle">Paste a reel link. Its words appear here in about half a minute.</p>
      </div>
      <PasteForm given="" takesFocus onReels={queue && start} />
      <p className="row wrap">
        <span className="meta">No link handy?</span>
        {sample === undefined ? (
          <LinkButton kind="quiet" size="small" to="/sample">
            Try a sample reel
          </LinkButton>
        ) : (
          <Button kind="quiet" size="small" onClick={() => start([sample])}>
            Try a sample reel
          </Button>
        )}
      </p>
    </section>
  );
}
