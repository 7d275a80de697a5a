import { useEffect, useId, useRef, type ToggleEvent } from "react";
import { operationAddress } from "../../../api/call.ts";
import { Button, CopyButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { counted } from "../../../format.ts";
import { useOpenScript } from "./open-script.ts";
import { PlayButton } from "./player.tsx";
import { countWords } from "./script-words.ts";
import { ShareScript } from "./share-script.tsx";

interface Props {
  /** Absent where the transcript can't be corrected. */
  readonly onCorrect: (() => void) | undefined;
  /** True after a correction was written here. */
  readonly takeFocus: boolean;
}

/** The row of actions over a script; on phones a bar at the bottom. */
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
  const name = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const place = ({ newState }: ToggleEvent): void => {
    if (newState !== "open" || !button.current || !menu.current) return;
    const { left, top, bottom } = button.current.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = menu.current;
    const isBelow = bottom + height + 6 < innerHeight;
    menu.current.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    menu.current.style.top = `${isBelow ? bottom + 6 : Math.max(8, top - height - 6)}px`;
  };
  return (
    <>
      <Button ref={button} icon="download" popoverTarget={name}>
        Export
      </Button>
      <div id={name} ref={menu} popover="auto" className="menu" onToggle={place}>
        {formats.map(({ format, label, about }) => (
          <a
            key={format}
            className="entry row"
            href={operationAddress("getScript", { id, format })}
            download
            aria-label={`Download ${about}`}
            onClick={() => menu.current?.hidePopover()}
          >
            <Icon name="download" small />
            {label}
            <span className="meta at-end">{about}</span>
          </a>
        ))}
      </div>
    </>
  );
}
