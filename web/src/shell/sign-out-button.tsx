import { useState } from "react";
import { forgetPerson } from "../api/one-person.ts";
import { Icon } from "../components/icon.tsx";
import { showToast } from "../components/toast/toast.ts";

export function SignOutButton() {
  const [leaving, setLeaving] = useState(false);
  return (
    <button
      type="button"
      className="entry"
      aria-disabled={leaving || undefined}
      onClick={() => {
        if (leaving) return;
        setLeaving(true);
        leave(() => setLeaving(false));
      }}
    >
      <Icon name="signOut" />
      Sign out
    </button>
  );
}

export const leave = (onFailed?: () => void): void =>
  void signOut().catch(() => {
    onFailed?.();
    showToast("Couldn’t sign out. Check your connection.", { failed: true });
  });

/** No form, because the pages' policy lets none lead on to the identity provider, where a sign-out may end. */
async function signOut(): Promise<void> {
  const response = await fetch("/auth/logout", { method: "POST", headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  const { location: next } = (await response.json()) as { readonly location: string };
  forgetPerson();
  location.assign(next);
}
