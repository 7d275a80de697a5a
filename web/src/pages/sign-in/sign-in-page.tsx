import { plans } from "@reelscript/contract/values";
import { getRouteApi } from "@tanstack/react-router";
import { AnchorButton } from "../../components/button.tsx";
import { Note, usePageTitle } from "../../components/page.tsx";
import { Brand } from "../../components/brand.tsx";
import { useSignInMethod } from "../../api/passwords.ts";
import { PasswordForm } from "./password-form.tsx";
import { SignInStage } from "./sign-in-stage.tsx";

const route = getRouteApi("/sign-in");

const troubles: Readonly<Record<string, string>> = {
  expired: "Signing in took longer than ten minutes. Try again.",
  provider: "Your identity provider isn’t responding. Try again in a minute.",
  suspended: "This account is suspended. Contact the operator of this service.",
  refused: "The sign-in was canceled or refused. Nothing was changed.",
};

export function SignInPage() {
  const { return_to: returnTo, state, error, account } = route.useSearch();
  const method = useSignInMethod(state);
  usePageTitle("Sign in");
  // The service checks it too; checked here so that the link shows its real target.
  const target = new URLSearchParams({
    return_to: /^\/(app|oauth\/consent)(\/|\?|$)/.test(returnTo ?? "") ? returnTo! : "/app",
  });
  return (
    <div className="enter">
      <main id="main">
        <div className="sign-in-box stack">
          <Brand leads={false} />
          <h1 tabIndex={-1}>Read what reels say</h1>
          <p className="subtitle">
            Transcripts you can search, reports on the accounts you watch, and one API for it all.
          </p>
          {error === undefined && returnTo?.startsWith("/app/transcribe?urls=") && (
            <Note icon="check">We’ve kept your reel link. Sign in, and transcribe it.</Note>
          )}
          {error !== undefined && (
            <Note kind="bad" icon="warn" live>
              {troubles[error] ?? "Sign-in failed. Try again."}
            </Note>
          )}
          {account === "deleted" && (
            <Note icon="check" live>
              Your account and its data are deleted, and you’re signed out.
            </Note>
          )}
          {method === "password" && <PasswordForm state={state} target={target} />}
          {method === "provider" && (
            <>
              <AnchorButton kind="ink" size="large" endIcon="forward" href={`/auth/login?${target}`}>
                Continue with your account
              </AnchorButton>
              <p className="hint">
                New here? The same button creates your account. {plans.free.transcriptions} transcriptions are free.
              </p>
            </>
          )}
          <p className="hint links row">
            <a href="/">Home</a>
            <a href="/docs">API docs</a>
            <a href="/privacy">Privacy</a>
            <a href="/terms">Terms</a>
          </p>
        </div>
      </main>
      <SignInStage />
    </div>
  );
}
