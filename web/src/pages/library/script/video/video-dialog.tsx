import type { VideoStyleName } from "@reelscript/contract/subtitles";
import { peopleBasePath } from "@reelscript/contract/values";
import { lazy, Suspense, useState } from "react";
import { useChange } from "../../../../api/use-operation.ts";
import { Button } from "../../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../../components/dialog.tsx";
import { Choice, optionsOf } from "../../../../components/field.tsx";
import { ErrorNote } from "../../../../components/page.tsx";
import { useOpenScript } from "../open-script.ts";
import { styleLabels } from "../../../../components/style-labels.ts";

/** The layout of subtitles is loaded when somebody opens the dialog. */
const VideoPreview = lazy(async () => ({ default: (await import("./video-preview.tsx")).VideoPreview }));

const about: Readonly<Record<VideoStyleName, string>> = {
  lowerThird: "Up to two quiet lines in the lower third.",
  oneLine: "One bold line on a dark band.",
  highlight: "A few large words; the spoken one is yellow.",
};

interface Props {
  readonly fileId: string;
  readonly onClose: () => void;
}

export function VideoDialog({ fileId, onClose }: Props) {
  const { script } = useOpenScript();
  const [styleName, setStyle] = useState<VideoStyleName>("lowerThird");
  const make = useChange("createVideo", { stale: ["listVideos"], onDone: onClose });
  return (
    <Dialog title="Subtitled video" onClose={onClose} wide>
      <div className="video-dialog">
        <Suspense fallback={<div className="video-preview" />}>
          <VideoPreview script={script} address={`${peopleBasePath}/files/${fileId}/media`} styleName={styleName} />
        </Suspense>
        <div className="stack tight">
          <Choice legend="Style" value={styleName} options={optionsOf(styleLabels)} onChange={setStyle} />
          <p className="hint">{about[styleName]}</p>
          <p className="hint">
            The video is an MP4 in 1080 × 1920 with the sound of your file. A picture of another shape gets black
            borders. Corrections that you make later aren’t in it.
          </p>
        </div>
      </div>
      <ErrorNote error={make.error} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="ink"
          busy={make.isPending && "Starting…"}
          onClick={() => make.mutate({ scriptId: script.id, style: styleName })}
        >
          Make the video
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
