import type { Output } from "@reelscript/client/core";
import { peopleBasePath, typographic } from "@reelscript/contract/values";
import { useState } from "react";
import { createPortal } from "react-dom";
import { useChange, useOperation } from "../../../../api/use-operation.ts";
import { AnchorButton, Button } from "../../../../components/button.tsx";
import { Moment } from "../../../../components/inline.tsx";
import { ErrorNote, Note } from "../../../../components/page.tsx";
import { Progress } from "../../../../components/progress.tsx";
import { showToast } from "../../../../components/toast.tsx";
import { megabytes } from "../../../../format.ts";
import { useOpenScript } from "../open-script.ts";
import { styleLabels } from "../../../../components/style-labels.ts";
import { VideoDialog } from "./video-dialog.tsx";

const lookMilliseconds = 1_500;

type Video = Output<"listVideos">["videos"][number];

const isOpen = ({ status }: Video): boolean => status === "queued" || status === "running";

/** The subtitled videos of a script of the person's own file, and the button that makes one. */
export function ScriptVideos() {
  const { script } = useOpenScript();
  const { id, file } = script;
  const [isChoosing, setChoosing] = useState(false);
  const [isFollowing, setFollowing] = useState(true);
  const { data, error, refetch } = useOperation(
    "listVideos",
    { scriptId: id },
    { refetchInterval: isFollowing && lookMilliseconds },
  );
  const videos = data?.videos.filter(({ deletion }) => deletion === undefined) ?? [];
  const hasOpen = videos.some(isOpen);
  if (data !== undefined && hasOpen !== isFollowing) setFollowing(hasOpen);
  if (data === undefined) return error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : undefined;
  return (
    <section className="stack tight" aria-labelledby="videos">
      <h2 id="videos">Subtitled video</h2>
      {videos.map((video) => (
        <VideoRow key={video.id} video={video} />
      ))}
      {file === undefined ? (
        <p className="hint">
          A video needs your file, which isn’t kept. Send it again and keep it for some days; its script costs nothing a
          second time.
        </p>
      ) : data.canMake ? (
        <Button size="small" className="at-start" icon="plus" onClick={() => setChoosing(true)}>
          {videos.length === 0 ? "Make a video" : "Make another"}
        </Button>
      ) : (
        <Note icon="warn">This server can’t make videos yet. {data.advice}</Note>
      )}
      {isChoosing &&
        file !== undefined &&
        // A resized window moves this side, and a dialog that is moved in the document no longer covers it.
        createPortal(<VideoDialog fileId={file.id} onClose={() => setChoosing(false)} />, document.body)}
    </section>
  );
}

function VideoRow({ video }: { readonly video: Video }) {
  const { id, style, status, progress, bytes, keptUntil, error, lacksLetters } = video;
  const label = styleLabels[style];
  const remove = useChange("deleteVideo", {
    stale: ["listVideos"],
    onDone: () => showToast(isOpen(video) ? "The video isn’t made." : "The video is deleted."),
  });
  const again = useChange("createVideo", { stale: ["listVideos"] });
  const removeButton = (text: string) => (
    <Button kind="ghost" size="small" busy={remove.isPending && "Deleting…"} onClick={() => remove.mutate({ id })}>
      {text}
    </Button>
  );
  return (
    <article className="video-row stack tight" aria-label={`Video: ${label}`}>
      <div className="row wrap">
        <h3>{label}</h3>
        {bytes !== undefined && <span className="meta">{megabytes(bytes)}</span>}
      </div>
      {isOpen(video) && (
        <>
          <Progress label={`Making the video: ${label}`} share={progress} />
          <p className="meta" role="status">
            {status === "running" ? `Making it: ${Math.floor(progress * 100)}%.` : "Waiting for its turn."} You can
            close this page. {removeButton("Cancel")}
          </p>
        </>
      )}
      {status === "done" && (
        <>
          <div className="row wrap">
            <AnchorButton size="small" icon="download" href={`${peopleBasePath}/videos/${id}/media`} download>
              Download
            </AnchorButton>
            {removeButton("Delete video")}
          </div>
          {keptUntil !== undefined && (
            <p className="hint">
              Kept until <Moment at={keptUntil} style="long" />.
            </p>
          )}
          {lacksLetters && (
            <Note kind="warn" icon="warn">
              This server has no font for some letters, which the video shows as empty boxes. Its operator can install
              more fonts, such as fonts-noto-cjk.
            </Note>
          )}
        </>
      )}
      {status === "failed" && error !== undefined && (
        <Note
          kind="bad"
          icon="alert"
          actions={
            <>
              {error.reason === undefined && (
                <Button
                  size="small"
                  busy={again.isPending && "Starting…"}
                  onClick={() => again.mutate({ scriptId: video.scriptId, style })}
                >
                  Try again
                </Button>
              )}
              {removeButton("Dismiss")}
            </>
          }
        >
          {typographic(error.message)}
        </Note>
      )}
      <ErrorNote error={remove.error ?? again.error} />
    </article>
  );
}
