import { useState } from "react";
import { operationAddress } from "../../../api/call.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { AnchorButton } from "../../../components/button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { optionsOf, Select } from "../../../components/field.tsx";
import { ErrorNote } from "../../../components/page.tsx";

const formats = optionsOf({ srt: "SRT", vtt: "VTT", ass: "ASS, upright video" });
const words = optionsOf({ all: "As many as fit", "1": "One", "2": "Two", "3": "Three" });
const lengths = optionsOf({ "20": "20 letters", "32": "32 letters", "42": "42 letters", "60": "60 letters" });
const lines = optionsOf({ "1": "One", "2": "Two", "3": "Three" });

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** Subtitles by rule, with the speed at which they must be read. */
export function SubtitlesDialog({ id, onClose }: Props) {
  const [format, setFormat] = useState<"srt" | "vtt" | "ass">("srt");
  const [maxWords, setMaxWords] = useState<"all" | "1" | "2" | "3">("all");
  const [maxLineLength, setLineLength] = useState<"20" | "32" | "42" | "60">("42");
  const [maxLines, setLines] = useState<"1" | "2" | "3">("2");
  const input = {
    id,
    format,
    maxLineLength: Number(maxLineLength),
    maxLines: Number(maxLines),
    ...(maxWords !== "all" && { maxWords: Number(maxWords) }),
  };
  const { data, error } = useOperation("getScriptSubtitles", input, { keepPrevious: true });
  const speed = data?.readingSpeed;
  return (
    <Dialog title="Subtitles" onClose={onClose}>
      <Select label="Format" value={format} options={formats} onChange={setFormat} />
      <Select label="Words at a time" value={maxWords} options={words} onChange={setMaxWords} />
      <Select label="Longest line" value={maxLineLength} options={lengths} onChange={setLineLength} />
      <Select label="Lines" value={maxLines} options={lines} onChange={setLines} />
      <ErrorNote error={error} />
      <p className="meta" role="status">
        {speed && `${speed.average} characters per second to read, ${speed.fastest} in the fastest subtitle`}
      </p>
      <DialogButtons>
        <AnchorButton
          kind="ink"
          icon="download"
          href={operationAddress("getScriptSubtitles", input)}
          download={`${id}.${format}`}
          onClick={onClose}
        >
          Download
        </AnchorButton>
      </DialogButtons>
    </Dialog>
  );
}
