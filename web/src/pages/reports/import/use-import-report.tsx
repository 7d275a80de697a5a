import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState, type ReactNode } from "react";
import type { CallError, Input } from "@reelscript/client/core";
import { useChange } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { Note } from "../../../components/page.tsx";
import { useWindowEvent } from "../../../components/use-key.ts";
import { showToast } from "../../../components/toast.tsx";
import { counted } from "../../../format.ts";
import { requests } from "../../../api/call.ts";
import { downloadFile } from "../../../components/download-file.ts";

const mostBytes = requests.importReport.maxBodyBytes ?? Number.POSITIVE_INFINITY;

async function readCollectionFile(file: Pick<File, "name" | "size" | "text">): Promise<ReadCollection> {
  if (file.size > mostBytes)
    return {
      problem: `${file.name} is larger than ${Math.floor(mostBytes / 1_048_576)} MB. Remove some reels and try again.`,
    };
  const text = await file.text().catch(() => undefined);
  if (text === undefined)
    return { problem: `Your browser couldn’t read ${file.name}. Try again, or choose another file.` };
  return parseCollection(file.name, text);
}

export function useImportReport(): { readonly button: ReactNode; readonly message: ReactNode; readonly over: boolean } {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending, error, reset } = useChange("importReport", {
    stale: ["listCompetitorReports", "listReportFigures", "getCompetitorReport", "getUsage"],
    onDone: ({ id, reelsAnalyzed }) => {
      showToast(`Report created from ${counted(reelsAnalyzed ?? 0, "reel", "reels")}`);
      return navigate({ to: "/reports/$reportId", params: { reportId: id } });
    },
  });
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined || isPending) return;
    setProblem(undefined);
    reset();
    const read = await readCollectionFile(file);
    if ("problem" in read) setProblem(read.problem);
    else mutate(read.collection);
  };
  const over = useDroppedFile((file) => void take(file));
  const button = (
    <>
      <input
        ref={field}
        type="file"
        accept=".json,application/json"
        aria-label="File of collected reels"
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0]);
          // The same file can be chosen again once it is corrected.
          target.value = "";
        }}
      />
      <Button icon="plus" busy={isPending && "Importing…"} onClick={() => field.current?.click()}>
        Import a file
      </Button>
    </>
  );
  return { button, message: problem || error ? <Refusal problem={problem} error={error} /> : undefined, over };
}

function Refusal({ problem, error }: { readonly problem: string | undefined; readonly error: CallError | null }) {
  return (
    <Note kind="bad" icon="warn" live>
      {problem ?? (error && refusalText(error))} Nothing was imported.{" "}
      {error?.code === "limitReached" && <Link to="/usage">See usage and plan</Link>}
      {error?.code !== "limitReached" && <ExampleDownload />}
    </Note>
  );
}

/** Rows as a person counts them. */
function refusalText({ message, problems = [] }: CallError): string {
  if (problems.length === 0) return message;
  return problems
    .map(({ path: [list, index, ...rest], problem }) => {
      if (list !== "reels" || typeof index !== "number") return `${list ?? "The file"}: ${problem}.`;
      return `${["Row " + String(index + 1), ...rest].join(", ")}: ${problem}.`;
    })
    .join(" ");
}

function useDroppedFile(onDrop: (file: File | undefined) => void): boolean {
  const [over, setOver] = useState(false);
  const takes = (event: DragEvent): boolean => {
    const carriesFile = event.dataTransfer?.types.includes("Files") ?? false;
    if (carriesFile) event.preventDefault();
    return carriesFile;
  };
  useWindowEvent("dragover", (event) => takes(event) && setOver(true));
  useWindowEvent("dragleave", (event) => event.relatedTarget === null && setOver(false));
  useWindowEvent("drop", (event) => {
    if (!takes(event)) return;
    setOver(false);
    onDrop(event.dataTransfer?.files[0]);
  });
  return over;
}

export function ExampleDownload() {
  const download = async (): Promise<void> => {
    const { default: example } = await import("../../samples/example-collection.json");
    downloadFile(
      "example-reels.json",
      new Blob([`${JSON.stringify(example, undefined, 2)}\n`], { type: "application/json" }),
    );
  };
  return (
    <button type="button" className="link" onClick={() => void download()}>
      Download an example
    </button>
  );
}

type ReadCollection = { readonly collection: Input<"importReport"> } | { readonly problem: string };

/** Whether the text can be a collection of reels at all; its fields are the service's to check. */
export function parseCollection(name: string, text: string): ReadCollection {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return { problem: `${name} isn’t valid JSON. Export it again, or compare it with the example.` };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("reels" in value))
    return {
      problem: `${name} has no reels. It needs “handle”, “timezone”, “collectedAt” and “reels”, as in the example.`,
    };
  return { collection: value as Input<"importReport"> };
}
