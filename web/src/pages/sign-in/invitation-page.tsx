import { useState } from "react";
import { useAcceptInvitation, useInvitation } from "../../api/passwords.ts";
import { Brand } from "../../components/brand.tsx";
import { Button } from "../../components/button.tsx";
import { ErrorNote, usePageTitle } from "../../components/page.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { SignInStage } from "./sign-in-stage.tsx";

const home = new URLSearchParams({ return_to: "/app" });

/** The token comes after the # of the address, which browsers send to no server. */
export function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1));
  const { data: invitation, error, refetch } = useInvitation(token);
  const title = invitation?.isReset ? "Set a new password" : "Set your password";
  usePageTitle(title);
  return (
    <div className="enter">
      <main id="main">
        <div className="sign-in-box stack">
          <Brand leads={false} />
          <h1 tabIndex={-1}>{title}</h1>
          <ErrorNote error={error} onRetry={() => void refetch()} />
          {invitation && <AcceptForm token={token} email={invitation.email} isReset={invitation.isReset} />}
        </div>
      </main>
      <SignInStage />
    </div>
  );
}

interface Props {
  readonly token: string;
  readonly email: string;
  readonly isReset: boolean;
}

function AcceptForm({ token, email, isReset }: Props) {
  const [password, setPassword] = useState("");
  const accept = useAcceptInvitation();
  const leaving = accept.isPending || accept.isSuccess;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!leaving) accept.mutate({ target: home, fields: { token, password } });
      }}
    >
      <p className="subtitle">
        You sign in as <bdi>{email}</bdi>.{isReset && " This ends your sessions in other browsers."}
      </p>
      <ErrorNote error={accept.error} />
      {/* Password managers store the password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPassword value={password} onChange={setPassword} />
      <Button type="submit" kind="ink" size="large" busy={leaving && "Signing in…"}>
        Set password
      </Button>
    </form>
  );
}
