import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { CallError, type Input } from "@reelscript/client/core";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/page.tsx";
import { counted, exactNumber, longDate } from "../../format.ts";
import { downloadFile } from "../../components/download-file.ts";
import { deleteScripts, type PendingDeletions } from "./delete-scripts.ts";
import { call } from "../../api/call.ts";
import type { FullScript } from "@reelscript/contract";
import { csv, deletedWithoutAsking, mostDeleted, restorableDays, scriptCsvColumns } from "@reelscript/contract/values";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";

const scriptsText = (scripts: readonly FullScript[]): string =>
  scripts
    .map(({ account, postedAt, reelUrl, transcript }) => {
      const whose = account === undefined ? "Unknown account" : `@${account}`;
      const when = postedAt === undefined ? "" : `, ${longDate(postedAt)}`;
      return `${whose}${when}\n${reelUrl}\n\n${transcript || "(No speech in this reel)"}\n`;
    })
    .join("\n\n");

/** Most scripts that can be selected, because an export reads each of them. */
const mostSelected = 1_000;

async function readFound(search: Input<"searchMyScripts">): Promise<readonly string[]> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await call("searchMyScripts", { ...search, limit: 50, ...(cursor !== undefined && { cursor }) });
    for (const { id } of page.scripts) ids.add(id);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && ids.size < mostSelected);
  return [...ids].slice(0, mostSelected);
}

interface Selection {
  /** `undefined` while nothing can be selected. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly select: (ids: readonly string[]) => void;
  /** Selects all results, including scripts that the list hasn't loaded yet. */
  readonly selectFound: (ids: readonly string[]) => void;
  readonly end: () => void;
  readonly ofRow: (id: string) => RowSelection | undefined;
}

interface Props {
  readonly visibleIds: readonly string[];
  readonly total: number;
  readonly search: Input<"searchMyScripts">;
  readonly selected: ReadonlySet<string>;
  readonly selection: Selection;
  readonly onEnd: () => void;
}

export function SelectionBar({ visibleIds, total, search, selected, selection, onEnd }: Props) {
  const end = (): void => {
    selection.end();
    onEnd();
  };
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => bar.current?.focus(), []);
  const [read, setRead] = useState(0);
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const find = useMutation({ mutationFn: () => readFound(search), onSuccess: selection.selectFound });
  const { mutate: download, ...downloading } = useMutation({
    onMutate: () => find.reset(),
    async mutationFn(kind: "csv" | "txt") {
      const { signal } = (controller.current = new AbortController());
      setRead(0);
      const scripts = await readScripts([...selected], { onProgress: setRead, signal });
      const [text, type] = kind === "csv" ? [csv(scriptCsvColumns, scripts), "csv"] : [scriptsText(scripts), "plain"];
      downloadFile(`scripts.${kind}`, new Blob([text], { type: `text/${type};charset=utf-8` }));
    },
  });
  const isReading = downloading.isPending;
  const isNothing = selected.size === 0;
  return (
    <div className="card selection-bar stack" role="region" aria-label="Selected scripts" ref={bar} tabIndex={-1}>
      <ErrorNote error={downloading.error ?? find.error} />
      <div className="row wrap">
        <p className="semibold" role="status">
          {isReading
            ? `Reading ${exactNumber(read)} of ${counted(selected.size, "script", "scripts")}…`
            : `${exactNumber(selected.size)} selected`}
        </p>
        <SelectMany
          visibleIds={visibleIds}
          total={total}
          selected={selected}
          selection={selection}
          isFinding={find.isPending}
          onFind={() => {
            downloading.reset();
            find.mutate();
          }}
        />
        <span className="at-end row wrap">
          {(["txt", "csv"] as const).map((kind) => (
            <Button
              key={kind}
              size="small"
              icon="download"
              disabled={isNothing || isReading}
              onClick={() => download(kind)}
            >
              {kind === "txt" ? "Text" : "CSV"}
            </Button>
          ))}
          <ChangeButtons selected={selected} disabled={isNothing || isReading} onDeleted={end} />
          <Button size="small" onClick={end}>
            Done
          </Button>
        </span>
      </div>
    </div>
  );
}

interface ChangeProps {
  readonly selected: ReadonlySet<string>;
  readonly disabled: boolean;
  readonly onDeleted: () => void;
}

/** Tags and deletes the selected scripts; deleting many needs a confirmation. */
function ChangeButtons({ selected, disabled, onDeleted }: ChangeProps) {
  const [dialog, setDialog] = useState<"delete" | "tag">();
  const remove = (): void => {
    deleteScripts([...selected]);
    onDeleted();
  };
  return (
    <>
      <Button size="small" disabled={disabled || selected.size > mostDeleted} onClick={() => setDialog("tag")}>
        Tag
      </Button>
      <Button
        kind="danger"
        size="small"
        icon="bin"
        disabled={disabled}
        onClick={() => (selected.size > deletedWithoutAsking ? setDialog("delete") : remove())}
      >
        Delete
      </Button>
      {dialog === "tag" && <TagDialog ids={[...selected]} onClose={() => setDialog(undefined)} />}
      {dialog === "delete" && (
        <ConfirmDialog
          title={`Delete ${exactNumber(selected.size)} scripts?`}
          action="Delete"
          onClose={() => setDialog(undefined)}
          onConfirm={remove}
        >
          You can restore them for {restorableDays} days.
        </ConfirmDialog>
      )}
    </>
  );
}

interface ManyProps {
  readonly visibleIds: readonly string[];
  readonly total: number;
  readonly selected: ReadonlySet<string>;
  readonly selection: Selection;
  readonly isFinding: boolean;
  readonly onFind: () => void;
}

function SelectMany({ visibleIds, total, selected, selection, isFinding, onFind }: ManyProps) {
  const most = Math.min(total, mostSelected);
  const isAllShown = selected.size >= visibleIds.length;
  return (
    <>
      <Button kind="ghost" size="small" onClick={() => selection.select(isAllShown ? [] : visibleIds)}>
        {isAllShown ? "Select none" : `Select all ${exactNumber(visibleIds.length)} shown`}
      </Button>
      {total > visibleIds.length && selected.size < most && (
        <Button kind="ghost" size="small" busy={isFinding && "Selecting…"} onClick={onFind}>
          {most < total ? `Select the first ${exactNumber(most)}` : `Select all ${exactNumber(total)} found`}
        </Button>
      )}
    </>
  );
}

/**
 * Reads whole scripts one after another, because a library may have thousands; waits if the service asks for it. Scripts that
 * were deleted meanwhile are left out.
 */
async function readScripts(
  ids: readonly string[],
  { onProgress, signal }: { readonly onProgress: (read: number) => void; readonly signal: AbortSignal },
): Promise<readonly FullScript[]> {
  const scripts: FullScript[] = [];
  for (const id of ids) {
    try {
      scripts.push(await call("getScript", { id }, { signal, retry: { totalSeconds: Infinity, waits: Infinity } }));
    } catch (error) {
      if (!(error instanceof CallError && error.code === "notFound")) throw error;
    }
    onProgress(scripts.length);
  }
  return scripts;
}

export interface RowSelection {
  readonly isSelected: boolean;
  readonly onToggle: (isRange: boolean) => void;
}

interface Options {
  readonly visibleIds: readonly string[];
  /** Identifies the search; results of another one aren't selected. */
  readonly search: string;
  readonly deleted: PendingDeletions;
}

export function useSelection({ visibleIds, search, deleted }: Options): Selection {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>();
  const [results, setResults] = useState<{ readonly search: string; readonly ids: readonly string[] }>();
  const anchor = useRef<string>(undefined);
  const beyond = results?.search === search ? results.ids.filter((id) => !deleted.has(id)) : [];
  const selected = selectedIds && new Set([...visibleIds, ...beyond].filter((id) => selectedIds.has(id)));
  const select = (ids: readonly string[]): void => setSelectedIds(new Set(ids));
  const toggle = (id: string, isRange: boolean, before: ReadonlySet<string>): void => {
    const from = visibleIds.indexOf(anchor.current ?? "");
    const to = visibleIds.indexOf(id);
    const range = isRange && from !== -1 ? visibleIds.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    anchor.current = id;
    select(before.has(id) ? [...before].filter((one) => !range.includes(one)) : [...before, ...range]);
  };
  return {
    selected,
    select,
    selectFound: (ids) => {
      setResults({ search, ids });
      select(ids);
    },
    end: () => setSelectedIds(undefined),
    ofRow: (id) => selected && { isSelected: selected.has(id), onToggle: (isRange) => toggle(id, isRange, selected) },
  };
}
