import { useEffect, useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { ExtensionSteps } from "../../components/extension-steps.tsx";
import { Note } from "../../components/note.tsx";
import { duration } from "../../format/duration.ts";
import type { Trouble } from "./job.ts";
import { troubleText } from "./trouble-text.ts";

interface Props {
  readonly trouble: Trouble;
  /** Milliseconds at which it continues by itself. */
  readonly until?: number;
}

export function JobTrouble({ trouble, until }: Props) {
  const usage = useOperation("getUsage", {}).data;
  const { icon, kind, text } = troubleText(trouble, usage);
  return (
    <Note kind={kind} icon={icon} live>
      {text}
      {until !== undefined && <Countdown until={until} />}
      {trouble.reason === "platformRefused" && (
        <ExtensionSteps summary="Send it from your own browser">
          <b>Transcribe</b>: open the reel on Instagram and choose Transcribe. The extension sends what your browser
          plays.
        </ExtensionSteps>
      )}
    </Note>
  );
}

/** Not read out each second: the sentence before it says enough. */
function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((until - now) / 1_000));
  return <span aria-live="off"> Retrying in {left < 60 ? `${left} s` : duration(left)}.</span>;
}
