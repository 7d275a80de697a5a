import { Icon } from "../components/icon.tsx";

/** A form and no call, because the answer leads on to the identity provider. */
export function SignOutForm() {
  return (
    <form method="post" action="/auth/logout">
      <button className="entry">
        <Icon name="signOut" />
        Sign out
      </button>
    </form>
  );
}
