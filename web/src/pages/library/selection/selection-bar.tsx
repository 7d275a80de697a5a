import { useEffect, useRef, useState } from "react";
import type { Input } from "../../../api/operation-types.ts";
import { Button } from "../../../components/button.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { counted, exactNumber } from "../../../format/number.ts";
import { downloadText } from "../../reports/download-text.ts";
import { useDeleteScripts } from "../use-delete-scripts.ts";
import { mostSelected, readFound } from "./read-found.ts";
import { readScripts } from "./read-scripts.ts";
import { scriptsCsv, scriptsText } from "./script-files.ts";
import type { Selection } from "./use-selection.ts";

interface Props {
  /** Ids of the scripts that the list shows. */
  readonly shown: readonly string[];
  /** How many were found, and what finds them. */
  readonly total: number;
  readonly search: Input<"searchMyScripts">;
  readonly selection: Selection;
  /** Gives the focus to where it came from. */
  readonly onEnd: () => void;
}

/** What can be done with several scripts at once. */
export function SelectionBar({ selection: { selected, ...selection }, ...props }: Props) {
  return selected && <Bar {...props} selection={{ ...selection, selected }} />;
}

interface BarProps extends Props {
  readonly selection: Selection & { readonly selected: ReadonlySet<string> };
}

function Bar({ shown, total, search, selection: { selected, select, ...selection }, onEnd }: BarProps) {
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
        <SelectMany
          shown={shown}
          total={total}
          search={search}
          selected={selected.size}
          onSelect={select}
          onFound={selection.selectFound}
          onError={setError}
        />
        <span className="at-end row wrap">
          {(["txt", "csv"] as const).map((kind) => (
            <Button
              key={kind}
              kind="quiet"
              size="small"
              icon="download"
              disabled={isNothing || isReading}
              onClick={() => void download(kind)}
            >
              {kind === "txt" ? "Text" : "CSV"}
            </Button>
          ))}
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

interface ManyProps extends Pick<Props, "shown" | "total" | "search"> {
  readonly selected: number;
  readonly onSelect: (ids: readonly string[]) => void;
  readonly onFound: (ids: readonly string[]) => void;
  readonly onError: (error: Error | undefined) => void;
}

/** All that is shown, and all that was found. */
function SelectMany({ shown, total, search, selected, onSelect, onFound, onError }: ManyProps) {
  const [isFinding, setFinding] = useState(false);
  const selectFound = async (): Promise<void> => {
    onError(undefined);
    setFinding(true);
    await readFound(search).then(onFound, onError);
    setFinding(false);
  };
  const most = Math.min(total, mostSelected);
  const isAllShown = selected >= shown.length;
  return (
    <>
      <Button kind="ghost" size="small" onClick={() => onSelect(isAllShown ? [] : shown)}>
        {isAllShown ? "Select none" : `Select all ${exactNumber(shown.length)} shown`}
      </Button>
      {total > shown.length && selected < most && (
        <Button
          kind="ghost"
          size="small"
          busy={isFinding ? "Selecting…" : undefined}
          onClick={() => void selectFound()}
        >
          {most < total ? `Select the first ${exactNumber(most)}` : `Select all ${exactNumber(total)} found`}
        </Button>
      )}
    </>
  );
}
