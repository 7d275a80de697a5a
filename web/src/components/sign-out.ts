import { forgetPerson } from "../api/one-person.ts";
import { showToast } from "./toast.tsx";

export const leave = (onFailed?: () => void): void =>
  void signOut().catch(() => {
    onFailed?.();
    showToast("Couldn’t sign out. Check your connection.", { failed: true });
  });

/** Not a form, because the pages' policy doesn't let forms redirect to the identity provider, where a sign-out may end. */
async function signOut(): Promise<void> {
  const response = await fetch("/auth/logout", { method: "POST", headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  const { location: next } = (await response.json()) as { readonly location: string };
  forgetPerson();
  location.assign(next);
}
