import { sampleScript } from "@reelscript/contract/values";
import { Link, useNavigate } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { LinkButton, Button } from "../../components/button.tsx";
import { Cue } from "../../components/cue.tsx";
import { Icon } from "../../components/icon.tsx";
import { duration } from "../../format.ts";
import { PasteForm } from "../transcribe/paste-form.tsx";
import { useTranscribeJobs } from "../transcribe/transcribe-jobs.ts";

const sampleText = sampleScript.segments.map(({ text }) => text).join(" ");

/** The first step in a library without scripts. */
export function EmptyLibrary() {
  const navigate = useNavigate();
  const jobs = useTranscribeJobs();
  const sample = useOperation("getSession", {}, { staleTime: 300_000 }).data?.sampleReelUrl;
  const open = (): void => void navigate({ to: "/transcribe" });
  return (
    <section className="stack" aria-labelledby="first-reel">
      <h2 id="first-reel" className="visually-hidden">
        Transcribe your first reel
      </h2>
      <PasteForm given="" takesFocus onAdded={open} />
      <p className="row wrap">
        <span className="meta">No link handy?</span>
        {sample === undefined ? (
          <LinkButton size="small" to="/sample">
            Try a sample reel
          </LinkButton>
        ) : (
          <Button
            size="small"
            onClick={() => {
              jobs?.add([{ url: sample }]);
              open();
            }}
          >
            Try a sample reel
          </Button>
        )}
      </p>
      <div className="sample-row">
        <h3>What you get</h3>
        <ul className="script-rows">
          <li className="opens">
            <Cue id="sample" text={sampleText} lang={sampleScript.language} />
            <div>
              <Link className="words clamped" to="/sample" lang={sampleScript.language}>
                {sampleText}
              </Link>
              <p className="meta">A sample script, {duration(sampleScript.seconds)}</p>
            </div>
            <Icon name="forward" small />
          </li>
        </ul>
      </div>
    </section>
  );
}
