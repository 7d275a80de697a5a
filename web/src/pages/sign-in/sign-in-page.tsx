import { plans } from "@reelscript/contract/values";
import { getRouteApi } from "@tanstack/react-router";
import { AnchorButton } from "../../components/button.tsx";
import { Note } from "../../components/note.tsx";
import { usePageTitle } from "../../components/page-header.tsx";
import { Brand } from "../../shell/brand.tsx";
import { Cue } from "../../components/cue.tsx";
import { exampleColumns } from "./example-columns.ts";

const route = getRouteApi("/sign-in");

const troubles: Readonly<Record<string, string>> = {
  expired: "Signing in took longer than ten minutes. Try again.",
  provider: "Your identity provider isn’t responding. Try again in a minute.",
  suspended: "This account is suspended. Contact the operator of this service.",
  refused: "The sign-in was canceled or refused. Nothing was changed.",
};

export function SignInPage() {
  const { return_to: returnTo, error, account } = route.useSearch();
  usePageTitle("Sign in");
  // The service checks it too; here so that the link does not lie.
  const target = new URLSearchParams({
    return_to: /^\/(app|oauth\/consent)(\/|\?|$)/.test(returnTo ?? "") ? returnTo! : "/app",
  });
  return (
    <div className="enter">
      <main id="main">
        <div className="sign-in-box">
          <Brand leads={false} />
          <h1 tabIndex={-1}>Read what reels say</h1>
          <p className="subtitle">
            Transcripts you can search, reports on the accounts you watch, and one API for it all.
          </p>
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
          <AnchorButton size="large" endIcon="forward" href={`/auth/login?${target}`}>
            Continue with your account
          </AnchorButton>
          <p className="hint">
            New here? The same button creates your account. {plans.free.transcriptions} transcriptions are free.
          </p>
          <p className="hint links">
            <a href="/docs">API docs</a>
          </p>
        </div>
      </main>
      <SignInStage />
    </div>
  );
}

function SignInStage() {
  return (
    <div className="stage" aria-hidden="true">
      <div className="frames">
        {exampleColumns.map((column, index) => (
          <div key={index}>
            {column.map(({ id, text, hit }) => (
              <Cue key={id} id={id} text={text} hit={hit} />
            ))}
          </div>
        ))}
      </div>
      <div className="speech">
        <p>
          <span className="strip">So the first thing I do is nothing at all.</span>
        </p>
        <p lang="hi">
          <span className="strip">पहले तीन सेकंड सुनिए</span>
        </p>
        <p>
          <span className="strip yellow">and then you say one line</span>
        </p>
        <p lang="ar" dir="rtl">
          <span className="strip">ابدأ بالنتيجة</span>
        </p>
        <p lang="es">
          <span className="strip">Lo demás es prueba.</span>
        </p>
      </div>
    </div>
  );
}
