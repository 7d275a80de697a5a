import { countWords } from "@reelscript/contract/values";
import { useEffect, useRef, useState } from "react";
import { operationAddress } from "../../../api/call.ts";
import { Button, CopyButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Popover } from "../../../components/popover.tsx";
import { counted } from "../../../format.ts";
import { useOpenScript } from "./open-script.ts";
import { PlayButton } from "./player.tsx";
import { ShareScript } from "../../../components/share-links.tsx";
import { SubtitlesDialog } from "./subtitles-dialog.tsx";

interface Props {
  /** Omitted if the transcript can't be corrected. */
  readonly onCorrect: (() => void) | undefined;
  /** True after a correction was made here. */
  readonly takeFocus: boolean;
}

/** The row of actions above a script; on phones a bar at the bottom. */
export function ScriptActions({ onCorrect, takeFocus }: Props) {
  const { id, transcript } = useOpenScript().script;
  const correct = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takeFocus) correct.current?.focus({ preventScroll: true });
  }, [takeFocus]);
  return (
    <div className="script-actions row" role="toolbar" aria-label="Script">
      <PlayButton />
      <CopyButton text={transcript} kind="ink" done={`Copied ${counted(countWords(transcript), "word", "words")}`}>
        Copy
      </CopyButton>
      <ShareScript id={id} />
      <ExportMenu id={id} />
      {onCorrect && (
        <Button ref={correct} icon="edit" onClick={onCorrect}>
          Correct
        </Button>
      )}
    </div>
  );
}

const formats = [
  { format: "txt", label: "Text", about: "TXT" },
  { format: "srt", label: "Subtitles", about: "SRT" },
  { format: "vtt", label: "Web subtitles", about: "VTT" },
] as const;

function ExportMenu({ id }: { readonly id: string }) {
  const [isChoosing, setChoosing] = useState(false);
  return (
    <>
      <Popover label="Export" icon="download" className="menu">
        {(close) => (
          <>
            {formats.map(({ format, label, about }) => (
              <a
                key={format}
                className="entry row"
                href={operationAddress("getScript", { id, format })}
                download
                aria-label={`Download ${about}`}
                onClick={close}
              >
                <Icon name="download" small />
                {label}
                <span className="meta at-end">{about}</span>
              </a>
            ))}
            <button
              type="button"
              className="entry row"
              onClick={() => {
                close();
                setChoosing(true);
              }}
            >
              <Icon name="edit" small />
              Other subtitles…
            </button>
          </>
        )}
      </Popover>
      {isChoosing && <SubtitlesDialog id={id} onClose={() => setChoosing(false)} />}
    </>
  );
}
