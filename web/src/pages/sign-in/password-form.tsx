import { useState } from "react";
import { useForgottenPassword, useMailsLinks, usePasswordSignIn } from "../../api/passwords.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { ErrorNote, Note } from "../../components/page.tsx";

interface Props {
  /** The state of a sign-in that has begun. */
  readonly state: string | undefined;
  /** Has `return_to`, for a sign-in that hasn't begun. */
  readonly target: URLSearchParams;
}

export function PasswordForm({ state, target }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = usePasswordSignIn();
  const [isForgotten, setForgotten] = useState(false);
  const mailsLinks = useMailsLinks();
  const leaving = signIn.isPending || signIn.isSuccess;
  if (isForgotten) return <ForgottenForm email={email} onEmail={setEmail} onClose={() => setForgotten(false)} />;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!leaving) signIn.mutate({ state, target, fields: { email, password } });
      }}
    >
      <ErrorNote error={signIn.error} />
      <Email value={email} onChange={setEmail} />
      <Input
        label="Password"
        type="password"
        name="password"
        required
        maxLength={400}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" kind="ink" size="large" busy={leaving && "Signing in…"}>
        Sign in
      </Button>
      {mailsLinks ? (
        <p className="hint">
          <button type="button" className="link" onClick={() => setForgotten(true)}>
            Forgot your password?
          </button>{" "}
          No account? The operator of this service can invite you.
        </p>
      ) : (
        <p className="hint">No account, or forgot your password? The operator of this service can send you a link.</p>
      )}
    </form>
  );
}

interface EmailProps {
  readonly value: string;
  readonly onChange: (email: string) => void;
}

const Email = ({ value, onChange }: EmailProps) => (
  <Input
    label="Email"
    type="email"
    name="email"
    required
    maxLength={254}
    autoComplete="username"
    spellCheck={false}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

interface ForgottenProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onClose: () => void;
}

function ForgottenForm({ email, onEmail, onClose }: ForgottenProps) {
  const forgotten = useForgottenPassword();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!forgotten.isPending) forgotten.mutate({ email });
      }}
    >
      <ErrorNote error={forgotten.error} />
      {forgotten.isSuccess && (
        <Note icon="check" live>
          If this address has an account, a link for a new password is on its way.
        </Note>
      )}
      <Email value={email} onChange={onEmail} />
      <Button type="submit" kind="ink" size="large" busy={forgotten.isPending && "Sending…"}>
        Send me a link
      </Button>
      <p className="hint">
        <button type="button" className="link" onClick={onClose}>
          Back to sign in
        </button>
      </p>
    </form>
  );
}
