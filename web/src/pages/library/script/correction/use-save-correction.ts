import { typographic } from "@reelscript/contract/values";
import { useMutation } from "@tanstack/react-query";
import { CallError, type Output } from "@reelscript/client/core";
import { call, queryClient, refresh } from "../../../../api/call.ts";
import { useKeptDraft } from "../../../../api/kept-drafts.ts";
import { operationQuery } from "../../../../api/use-operation.ts";
import { showToast } from "../../../../components/toast.tsx";

export const staleByCorrection = ["getScript", "getScriptCorrection", "searchMyScripts", "listReportHooks"] as const;

type Outcome = { readonly kind: "saved" | "replaced" } | { readonly kind: "merged"; readonly draft: CorrectionDraft };

async function saveCorrection(id: string, draft: CorrectionDraft): Promise<Outcome> {
  try {
    const { version } = await call("correctScript", { id, ifVersion: draft.base.version, texts: [...draft.texts] });
    await refresh(...staleByCorrection);
    showToast("Transcript corrected", { undo: () => void takeBack(id, draftOf(draft.base).texts, version) });
    return { kind: "saved" };
  } catch (error) {
    // The correction may have been saved although no response came.
    void refresh(...staleByCorrection);
    if (!(error instanceof CallError) || error.reason !== "staleRevision") throw error;
    const latest = await queryClient.fetchQuery({ ...operationQuery("getScriptCorrection", { id }), staleTime: 0 });
    const both = rebased(draft, latest);
    return both ? { kind: "merged", draft: both } : { kind: "replaced" };
  }
}

interface SavingCallbacks {
  readonly onSuccess: (outcome: Outcome) => void;
  readonly onError?: () => void;
}

export interface CorrectionSaving {
  /** Does nothing while a draft is being saved. The callbacks run only if the page is still open. */
  readonly save: (draft: CorrectionDraft, callbacks: SavingCallbacks) => void;
  /** True until the outcome is known; anything typed meanwhile would be lost. */
  readonly isSaving: boolean;
  readonly error: Error | null;
  readonly outcome: Outcome["kind"] | undefined;
}

/** Saves a draft, and can undo that. If somebody else saved meanwhile, both versions are merged for the person to review. */
export function useSaveCorrection(id: string): CorrectionSaving {
  const [, keep] = useKeptDraft<CorrectionDraft>("corrections", id);
  const mutationKey = ["saveCorrection", id];
  const { mutate, data, error, isPending } = useMutation<Outcome, Error, CorrectionDraft>({
    mutationKey,
    mutationFn: (draft) => saveCorrection(id, draft),
    onSuccess: ({ kind }) => kind === "saved" && keep(undefined),
  });
  return {
    save: (draft, callbacks) => {
      if (queryClient.isMutating({ mutationKey }) === 0) mutate(draft, callbacks);
    },
    isSaving: isPending,
    error,
    outcome: data?.kind,
  };
}

/** Restores a script's previous texts, unless somebody changed them meanwhile. */
export async function takeBack(id: string, texts: readonly string[], version: number): Promise<void> {
  await call("correctScript", { id, ifVersion: version, texts: [...texts] }).catch((error: unknown) =>
    showToast(`We couldn’t undo that. ${reasonOf(error)}`, { failed: true }),
  );
  await refresh(...staleByCorrection);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CallError)) return "Something went wrong on this page.";
  return error.reason === "staleRevision" ? "The transcript changed in the meantime." : typographic(error.message);
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
export function ranksInSecond({ segments }: Correctable): (string | undefined)[] {
  const seconds = segments.map(({ start }) => Math.floor(start));
  return seconds.map((second, index) => {
    const first = seconds.indexOf(second);
    const last = seconds.lastIndexOf(second);
    return first === last ? undefined : `${index - first + 1} of ${last - first + 1}`;
  });
}

const isChanged = ({ base, texts }: CorrectionDraft, index: number): boolean =>
  texts[index]?.trim() !== base.segments[index]!.text;

export const countChanged = (draft: CorrectionDraft): number =>
  draft.base.segments.filter((_, index) => isChanged(draft, index)).length;

/**
 * Applies the draft to a text that somebody else saved meanwhile; if both changed a segment, the draft wins. `undefined` if the
 * reel was transcribed again, because then the segments are different.
 */
export function rebased(draft: CorrectionDraft, latest: Correctable): CorrectionDraft | undefined {
  const { base, texts } = draft;
  const isSame =
    latest.segments.length === base.segments.length &&
    latest.segments.every(({ original }, index) => original === base.segments[index]!.original);
  if (!isSame) return undefined;
  return {
    base: latest,
    texts: latest.segments.map(({ text }, index) => (isChanged(draft, index) ? (texts[index] ?? text) : text)),
  };
}
