import type { Language, Translation, TranslationText } from "@reelscript/contract";
import type { Translation as StoredTranslation, TranslatedScript } from "../ports.ts";

interface Offer {
  /** The languages that the running model translates. */
  readonly translatedLanguages: readonly Language[];
}

export const isTranslated = (language: string, { translatedLanguages }: Offer): boolean =>
  translatedLanguages.some((one) => one === language);

const byMachine = { language: "en", byMachine: true } as const;

/** The translation of a script, for callers who asked for it. */
export function describeTranslation({ translation: state }: Pick<TranslatedScript, "translation">): Translation {
  if (state.state === "done" && state.translation.text !== "") return describeDone(state.translation);
  if (state.state === "inProgress") return { ...byMachine, status: "inProgress" };
  if (state.state === "failed") {
    const { code, message } = state.failure;
    return { ...byMachine, status: "failed", error: { code, message } };
  }
  if (state.state === "done") return { ...byMachine, status: "failed", error: notHeard };
  return { ...byMachine, status: "notOffered" };
}

/** A finished translation. */
export const describeDone = ({ text, segments, gaps, model, revision }: StoredTranslation): Translation => ({
  ...byMachine,
  status: "done",
  text,
  segments: segments.map(({ isUnsure, ...segment }) => ({ ...segment, ...(isUnsure && { unsure: true as const }) })),
  gaps: gaps.map(({ start, end }) => ({ start, end })),
  model,
  revision,
});

const notHeard = {
  code: "invalidRequest",
  message: "We couldn’t translate most of the speech with the current model. The transcript is unchanged.",
};

/** The fields of a script about its translation: none before somebody asked for it, and whether one can be made. */
export function translationOfScript(
  script: TranslatedScript,
  offer: Offer,
): { readonly translatable?: true; readonly translation?: Translation } {
  const { state } = script.translation;
  const isFinal = state === "done" || state === "inProgress";
  return {
    ...(!isFinal && script.hasMedia && isTranslated(script.language, offer) && { translatable: true as const }),
    ...(state !== "none" && { translation: describeTranslation(script) }),
  };
}

export const textOnly = ({ language, status, byMachine: isMachines, text }: Translation): TranslationText => ({
  language,
  status,
  byMachine: isMachines,
  ...(text !== undefined && { text }),
});
