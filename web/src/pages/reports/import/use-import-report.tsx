import { typographic } from "@reelscript/contract/values";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { CallError, type Input } from "@reelscript/client/core";
import { FileButton } from "../../../components/button.tsx";
import { Note } from "../../../components/page.tsx";
import { useWindowEvent } from "../../../components/use-key.ts";
import { showToast } from "../../../components/toast.tsx";
import { counted } from "../../../format.ts";
import { call, refresh, requests } from "../../../api/call.ts";
import { downloadFile } from "../../../components/download-file.ts";

const mostBytes = requests.importReport.maxBodyBytes ?? Number.POSITIVE_INFINITY;

/** Reads a collection from a file. Throws a description of what is wrong with it. */
async function readCollection(file: File): Promise<Input<"importReport">> {
  const { name, size } = file;
  if (size > mostBytes)
    throw new Error(`${name} is larger than ${Math.floor(mostBytes / 1_048_576)} MB. Remove some reels and try again.`);
  const text = await file.text().catch(() => {
    throw new Error(`Your browser couldn’t read ${name}. Try again, or choose another file.`);
  });
  return parseCollection(name, text);
}

export function useImportReport(): { readonly button: ReactNode; readonly message: ReactNode; readonly over: boolean } {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (file: File) => call("importReport", await readCollection(file)),
    onSuccess: ({ id, reelsAnalyzed }) => {
      showToast(`Report created from ${counted(reelsAnalyzed ?? 0, "reel", "reels")}`);
      return navigate({ to: "/reports/$reportId", params: { reportId: id } });
    },
    // The report may have been created although no response came.
    onSettled: () => void refresh("listCompetitorReports", "listReportFigures", "getCompetitorReport", "getUsage"),
  });
  const take = (file: File | undefined): void => {
    if (file !== undefined && !isPending) mutate(file);
  };
  const over = useDroppedFile(take);
  const button = (
    <FileButton icon="plus" accept=".json,application/json" busy={isPending && "Importing…"} onFile={take}>
      Import a file
    </FileButton>
  );
  return { button, message: error ? <Refusal error={error} /> : undefined, over };
}

function Refusal({ error }: { readonly error: Error }) {
  const isUsedUp = error instanceof CallError && error.code === "limitReached";
  return (
    <Note kind="bad" icon="warn" live>
      {refusalText(error)} Nothing was imported.{" "}
      {isUsedUp ? <Link to="/usage">See usage and plan</Link> : <ExampleDownload />}
    </Note>
  );
}

/** Numbers rows from 1, as people do. */
function refusalText(error: Error): string {
  const problems = error instanceof CallError ? (error.problems ?? []) : [];
  if (problems.length === 0) return typographic(error.message);
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
    const { default: example } = await import("./example-collection.json");
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

/** Parses a text that may be a collection of reels; the service checks its fields. Throws if it isn't one. */
export function parseCollection(name: string, text: string): Input<"importReport"> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new Error(`${name} isn’t valid JSON. Export it again, or compare it with the example.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || !("reels" in value))
    throw new Error(
      `${name} has no reels. It needs “handle”, “timezone”, “collectedAt” and “reels”, as in the example.`,
    );
  return value as Input<"importReport">;
}
