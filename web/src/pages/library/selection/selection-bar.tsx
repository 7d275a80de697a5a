import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { counted, exactNumber } from "../../../format/number.ts";
import { downloadText } from "../../reports/download-text.ts";
import { useDeleteScripts } from "../use-delete-scripts.ts";
import { readScripts } from "./read-scripts.ts";
import { scriptsCsv, scriptsText } from "./script-files.ts";
import type { Selection } from "./use-selection.ts";

interface Props {
  /** Ids of the scripts that the list shows. */
  readonly shown: readonly string[];
  readonly selection: Selection;
  /** Gives the focus to where it came from. */
  readonly onEnd: () => void;
}

/** What can be done with several scripts at once. */
export function SelectionBar({ shown, selection: { selected, ...selection }, onEnd }: Props) {
  return selected && <Bar shown={shown} selection={{ ...selection, selected }} onEnd={onEnd} />;
}

interface BarProps extends Props {
  readonly selection: Selection & { readonly selected: ReadonlySet<string> };
}

function Bar({ shown, selection: { selected, select, ...selection }, onEnd }: BarProps) {
  const end = (): void => {
    selection.end();
    onEnd();
  };
  const deleteScripts = useDeleteScripts();
  const [read, setRead] = useState<number>();
  const [error, setError] = useState<Error>();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => bar.current?.focus(), []);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const download = async (kind: "csv" | "txt"): Promise<void> => {
    const { signal } = (controller.current = new AbortController());
    setError(undefined);
    setRead(0);
    try {
      const scripts = await readScripts([...selected], { onProgress: setRead, signal });
      if (kind === "csv") downloadText("scripts.csv", "text/csv;charset=utf-8", scriptsCsv(scripts));
      else downloadText("scripts.txt", "text/plain;charset=utf-8", scriptsText(scripts));
    } catch (error_) {
      if (!signal.aborted) setError(error_ as Error);
    }
    setRead(undefined);
  };
  const isReading = read !== undefined;
  const isNothing = selected.size === 0;
  return (
    <div className="selection-bar" role="region" aria-label="Selected scripts" ref={bar} tabIndex={-1}>
      <ErrorNote error={error} />
      <div className="row wrap">
        <p role="status">
          {isReading
            ? `Reading ${exactNumber(read)} of ${counted(selected.size, "script", "scripts")}…`
            : `${exactNumber(selected.size)} selected`}
        </p>
        <Button kind="ghost" size="small" onClick={() => select(selected.size === shown.length ? [] : shown)}>
          {selected.size === shown.length ? "Select none" : `Select all ${exactNumber(shown.length)} shown`}
        </Button>
        <span className="at-end row wrap">
          <Button
            kind="quiet"
            size="small"
            icon="download"
            disabled={isNothing || isReading}
            onClick={() => void download("txt")}
          >
            Text
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon="download"
            disabled={isNothing || isReading}
            onClick={() => void download("csv")}
          >
            CSV
          </Button>
          <Button
            kind="danger"
            size="small"
            icon="bin"
            disabled={isNothing || isReading}
            onClick={() => {
              deleteScripts([...selected]);
              end();
            }}
          >
            Delete
          </Button>
          <Button kind="quiet" size="small" onClick={end}>
            Done
          </Button>
        </span>
      </div>
    </div>
  );
}
