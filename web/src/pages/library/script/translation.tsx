import { useEffect } from "react";
import { operationAddress, refresh } from "../../../api/call.ts";
import { useChange } from "../../../api/use-operation.ts";
import { AnchorButton, Button } from "../../../components/button.tsx";
import { Chip } from "../../../components/inline.tsx";
import { ErrorNote, Note } from "../../../components/page.tsx";
import { duration } from "../../../format.ts";
import { useOpenScript } from "./open-script.ts";

const lookMilliseconds = 3_000;

/** The English translation of a script, or the offer of one. */
export function Translation() {
  const { script } = useOpenScript();
  const { id, translation, translatable } = script;
  const { mutate, error, isPending } = useChange("translateScript", { stale: ["getScript"] });
  const isUnderWay = isPending || translation?.status === "inProgress";
  const start = (): void => mutate({ id });
  useEffect(() => {
    if (translation?.status !== "inProgress") return undefined;
    const timer = setInterval(() => void refresh("getScript"), lookMilliseconds);
    return () => clearInterval(timer);
  }, [translation?.status]);
  if (translation?.status === "done") return <MadeTranslation />;
  if (translatable === undefined && !isUnderWay) return undefined;
  return (
    <>
      <ErrorNote error={error} onRetry={start}>
        Your transcript is unchanged.
      </ErrorNote>
      {error === null && (
        <Note
          icon="wave"
          live={isUnderWay}
          actions={
            <Button size="small" busy={isUnderWay && "Translating…"} onClick={start}>
              Translate to English
            </Button>
          }
        >
          {translation?.error === undefined
            ? "A machine can write this in English. It’s free, and takes about as long as the transcript did."
            : translation.error.message}
        </Note>
      )}
    </>
  );
}

const formats = [
  { format: "srt", label: "SRT" },
  { format: "vtt", label: "VTT" },
] as const;

function MadeTranslation() {
  const { script, choose } = useOpenScript();
  const { id, translation } = script;
  const { segments = [], gaps = [], model } = translation ?? {};
  const isUnsure = segments.some(({ unsure }) => unsure);
  return (
    <section className="translation stack" aria-labelledby="translation">
      <div className="row wrap">
        <h2 id="translation">In English</h2>
        <Chip>Machine translation</Chip>
        <span className="row at-end">
          <AnchorButton size="small" href={operationAddress("getScriptText", { id, text: "translation" })} download>
            TXT
          </AnchorButton>
          {formats.map(({ format, label }) => (
            <AnchorButton
              key={format}
              size="small"
              href={operationAddress("getScriptSubtitles", { id, format, text: "translation" })}
              download
            >
              {label}
            </AnchorButton>
          ))}
        </span>
      </div>
      <ol className="translated-lines stack tight" lang="en">
        {segments.map(({ start, text, unsure }, index) => (
          <li key={index} className="row">
            <Button kind="ghost" size="small" onClick={() => choose(start)}>
              {duration(start)}
            </Button>
            <span>
              {text}
              {unsure && <span className="meta"> (unsure)</span>}
            </span>
          </li>
        ))}
      </ol>
      <p className="hint">
        Written by <bdi>{model}</bdi>, and checked by nobody.
        {isUnsure && " It was unsure of the lines that say so."}
        {gaps.length > 0 && " Some of the speech is missing."}
      </p>
    </section>
  );
}
