import { useSessionEnded } from "../api/session-end.ts";
import { Dialog, DialogButtons } from "../components/dialog.tsx";
import { AnchorButton } from "../components/link-button.tsx";

/** Stays over the page that was typed into until the same person is signed in again. */
export function SessionEnded() {
  const ended = useSessionEnded();
  return (
    <Dialog open={ended} onClose={() => undefined} title="Your session ended" insistent>
      <p className="subtitle">Sign in again in a new tab. What you typed is still here.</p>
      <DialogButtons>
        <AnchorButton endIcon="open" href="/auth/login?return_to=/app/signed-in" target="_blank" rel="noopener">
          Sign in
        </AnchorButton>
      </DialogButtons>
    </Dialog>
  );
}
