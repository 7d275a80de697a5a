import { useEffect, useRef, useState } from "react";
import { CallError, type Output } from "@reelscript/client/core";
import { call, queryClient, refresh } from "../../../../api/call.ts";
import { operationQuery, useChange } from "../../../../api/use-operation.ts";
import { showToast } from "../../../../components/toast.tsx";
import { keepDraft, keptDraft } from "../../../../api/kept-drafts.ts";

export const staleByCorrection = ["getScript", "getScriptCorrection", "searchMyScripts", "listReportHooks"] as const;

/** Saves a draft, and can take that back. When somebody else saved meanwhile, both are put together for another look. */
export function useSaveCorrection(
  { id, accountId }: { readonly id: string; readonly accountId: string },
  onDraft: (draft: CorrectionDraft) => void,
  onSaved: () => void,
) {
  /** Somebody else saved meanwhile: what they did is in the lines too, or the lines are others. */
  const [conflict, setConflict] = useState<"merged" | "replaced">();
  const [error, setError] = useState<Error>();
  const [isSaving, setSaving] = useState(false);
  const busy = useRef(false);
  const done = useRef(false);
  const gone = useRef(false);
  const { mutateAsync } = useChange("correctScript", { stale: staleByCorrection });

  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);

  async function settle(draft: CorrectionDraft): Promise<void> {
    const latest = await queryClient.fetchQuery({ ...operationQuery("getScriptCorrection", { id }), staleTime: 0 });
    const both = rebased(draft, latest);
    setConflict(both === undefined ? "replaced" : "merged");
    if (both !== undefined) onDraft(both);
  }

  async function send(draft: CorrectionDraft): Promise<void> {
    setError(undefined);
    setConflict(undefined);
    try {
      const saved = await mutateAsync({ id, ifVersion: draft.base.version, texts: [...draft.texts] });
      done.current = true;
      keepCorrection(accountId, id, undefined);
      showToast("Transcript corrected", { undo: () => void takeBack(id, draftOf(draft.base).texts, saved.version) });
      if (!gone.current) onSaved();
    } catch (error_) {
      if (error_ instanceof CallError && error_.reason === "staleRevision") await settle(draft).catch(setError);
      else setError(error_ as Error);
    }
  }

  /** Does nothing while one is on its way, of which the page that was drawn last may not know yet. */
  async function save(draft: CorrectionDraft): Promise<void> {
    if (busy.current) return;
    busy.current = true;
    setSaving(true);
    await send(draft).finally(() => {
      busy.current = false;
      setSaving(false);
    });
  }

  return {
    save: (draft: CorrectionDraft) => void save(draft),
    /** Until it is known what became of it; what is written meanwhile would be lost. */
    isSaving,
    error,
    conflict,
    /** Known before the page is drawn again. */
    isDone: () => done.current,
  };
}

/** Gives a script the texts that it had, unless somebody changed it meanwhile. */
export async function takeBack(id: string, texts: readonly string[], version: number): Promise<void> {
  await call("correctScript", { id, ifVersion: version, texts: [...texts] }).catch((error: unknown) =>
    showToast(`We couldn’t undo that. ${reasonOf(error)}`, { failed: true }),
  );
  await refresh(...staleByCorrection);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CallError)) return "Something went wrong on this page.";
  return error.reason === "staleRevision" ? "The transcript changed in the meantime." : error.message;
}

export type Correctable = Output<"getScriptCorrection">;

export interface CorrectionDraft {
  readonly base: Correctable;
  readonly texts: readonly string[];
}

export const draftOf = (base: Correctable): CorrectionDraft => ({
  base,
  texts: base.segments.map(({ text }) => text),
});

/** By index; `undefined` where no other segment begins in the same second. */
export function placesInSecond({ segments }: Correctable): (string | undefined)[] {
  const seconds = segments.map(({ start }) => Math.floor(start));
  const sizes = new Map<number, number>();
  for (const second of seconds) sizes.set(second, (sizes.get(second) ?? 0) + 1);
  const seen = new Map<number, number>();
  return seconds.map((second) => {
    const size = sizes.get(second) ?? 0;
    if (size < 2) return undefined;
    const place = (seen.get(second) ?? 0) + 1;
    seen.set(second, place);
    return `${place} of ${size}`;
  });
}

export const countChanged = ({ base, texts }: CorrectionDraft): number =>
  base.segments.filter(({ text }, index) => texts[index]?.trim() !== text).length;

/**
 * The draft on top of what somebody else saved meanwhile: what was changed here stays. `undefined` when the reel was transcribed
 * again, so that the segments are others.
 */
export function rebased({ base, texts }: CorrectionDraft, latest: Correctable): CorrectionDraft | undefined {
  const isSame =
    latest.segments.length === base.segments.length &&
    latest.segments.every(({ original }, index) => original === base.segments[index]!.original);
  if (!isSame) return undefined;
  const changed = (index: number): boolean => texts[index]?.trim() !== base.segments[index]!.text;
  return {
    base: latest,
    texts: latest.segments.map(({ text }, index) => (changed(index) ? (texts[index] ?? text) : text)),
  };
}

export const keptCorrection = (accountId: string, scriptId: string): CorrectionDraft | undefined =>
  keptDraft("corrections", accountId, scriptId) as CorrectionDraft | undefined;

/** `undefined` removes it. Whether the browser could. */
export const keepCorrection = (accountId: string, scriptId: string, draft: CorrectionDraft | undefined): boolean =>
  keepDraft("corrections", accountId, scriptId, draft);
