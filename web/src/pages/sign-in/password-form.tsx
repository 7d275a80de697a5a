import { useState } from "react";
import { usePasswordSignIn } from "../../api/passwords.ts";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/field.tsx";
import { ErrorNote } from "../../components/page.tsx";

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
  const leaving = signIn.isPending || signIn.isSuccess;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!leaving) signIn.mutate({ state, target, fields: { email, password } });
      }}
    >
      <ErrorNote error={signIn.error} />
      <Input
        label="Email"
        type="email"
        name="email"
        required
        maxLength={254}
        autoComplete="username"
        spellCheck={false}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
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
      <p className="hint">No account, or forgot your password? The operator of this service can send you a link.</p>
    </form>
  );
}
