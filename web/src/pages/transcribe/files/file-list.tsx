import { useEffect, useEffectEvent, type ReactNode } from "react";
import { refresh } from "../../../api/call.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Chip } from "../../../components/inline.tsx";
import { Note } from "../../../components/page.tsx";
import { Progress } from "../../../components/progress.tsx";
import { counted, megabytes } from "../../../format.ts";
import { pauseFile, removeFile, resumeFile, type SentFile, useSentFiles } from "./sent-files.ts";

/** The files that were added in this tab. */
export function FileList() {
  const files = useSentFiles();
  if (files.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="files">
      <h2 id="files">Your files</h2>
      <div>
        {files.map((file) => (
          <FileCard key={file.number} file={file} />
        ))}
      </div>
    </section>
  );
}

const lookMilliseconds = 2_000;

function FileCard({ file }: { readonly file: SentFile }) {
  const { number, name, bytes, sentBytes, most, state } = file;
  const isSending = ["next", "sending", "waiting", "paused"].includes(state.kind);
  return (
    <article className="file-card stack tight" aria-label={name}>
      <div className="row wrap job-heading">
        <h3 className="breaks-anywhere">
          <bdi>{name}</bdi>
        </h3>
        <span className="meta">{megabytes(bytes)}</span>
        <span className="row at-end">
          {(state.kind === "sending" || state.kind === "waiting") && (
            <Button size="small" icon="pause" onClick={() => pauseFile(number)}>
              Pause
            </Button>
          )}
          {state.kind === "paused" && (
            <Button size="small" icon="play" onClick={() => resumeFile(number)}>
              Resume
            </Button>
          )}
          <Button kind="ghost" size="small" onClick={() => removeFile(number)}>
            {isSending ? "Cancel" : "Remove"}
          </Button>
        </span>
      </div>
      {state.kind === "checking" && <p className="meta">Checking</p>}
      {isSending && (
        <>
          <Progress label={`Sending ${name}`} share={sentBytes / bytes} />
          <p className="meta" role="status">
            {textOf(file)}
            {most !== undefined && ` Uses at most ${counted(most, "transcription", "transcriptions")}.`}
          </p>
        </>
      )}
      {state.kind === "refused" && (
        <Note kind="bad" icon="alert" live>
          {state.message}
        </Note>
      )}
      {state.kind === "arrived" && file.id !== undefined && <ArrivedFile id={file.id} name={name} />}
    </article>
  );
}

function textOf({ state, sentBytes, bytes }: SentFile): string {
  if (state.kind === "next") return "Waits for the files before it.";
  if (state.kind === "paused") return `Paused at ${megabytes(sentBytes)} of ${megabytes(bytes)}.`;
  if (state.kind === "waiting") return "The connection broke off. It continues by itself.";
  return `${megabytes(sentBytes)} of ${megabytes(bytes)} sent.`;
}

/** From here on the service works without this page. */
function ArrivedFile({ id, name }: { readonly id: string; readonly name: string }) {
  const { data: file } = useOperation("getFile", { id }, { refetchInterval: lookMilliseconds });
  const isOver = file !== undefined && file.status !== "receiving" && file.status !== "transcribing";
  const { data: transcription } = useOperation(
    "getTranscription",
    { id: file?.transcriptionId ?? "-" },
    { enabled: file?.transcriptionId !== undefined && !isOver, refetchInterval: lookMilliseconds },
  );
  const onOver = useEffectEvent(
    () => void refresh("getUsage", "searchMyScripts", "listScriptAccounts", "countScriptKinds"),
  );
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver]);
  if (file?.error !== undefined)
    return (
      <Note kind="bad" icon="alert" live>
        {file.error.message}
      </Note>
    );
  if (file?.status === "canceled") return <p className="meta">Canceled.</p>;
  if (file?.status === "done")
    return (
      <Row>
        <span role="status">{file.transcriptionId === undefined ? "You sent this before" : "Transcribed"}</span>
        {file.transcriptionId === undefined && <Chip kind="ok">Free</Chip>}
        {file.scriptId !== undefined && (
          <span className="at-end">
            <LinkButton size="small" to="/scripts/$scriptId" params={{ scriptId: file.scriptId }}>
              Open
            </LinkButton>
          </span>
        )}
      </Row>
    );
  return (
    <>
      <Progress label={`Transcribing ${name}`} share={transcription?.progress ?? 0} />
      <p className="meta" role="status">
        {transcription?.status === "running" ? "Transcribing." : "Waiting in the queue."} You can close this page.
      </p>
    </>
  );
}

const Row = ({ children }: { readonly children: ReactNode }) => <div className="row wrap">{children}</div>;
