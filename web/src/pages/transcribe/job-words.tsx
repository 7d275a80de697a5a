import type { Job } from "./job.ts";
import { SpokenWords } from "./spoken-words.tsx";

interface Props {
  readonly state: Job["state"];
  /** Of a job that is done, as soon as it is known. */
  readonly transcript: string | undefined;
  /** Whether it was awaited here. */
  readonly arriving: boolean;
}

/** What is said, from the first words that are recognized to the transcript: one paragraph, so that nothing begins again. */
export function JobWords({ state, transcript, arriving }: Props) {
  const words = wordsOf(state, transcript);
  return (
    words && (
      <SpokenWords text={words.text} lang={words.language} arriving={arriving} continues={state.kind === "following"} />
    )
  );
}

interface Words {
  readonly text: string;
  readonly language: string;
}

/** `undefined` while there are none. */
export function wordsOf(state: Job["state"], transcript: string | undefined): Words | undefined {
  if (state.kind === "following") {
    const language = state.passages?.at(-1)?.language;
    return language === undefined
      ? undefined
      : { language, text: (state.passages ?? []).map(({ text }) => text).join(" ") };
  }
  const isSaid = state.kind === "done" && state.language !== "und" && transcript;
  return isSaid ? { language: state.language, text: transcript } : undefined;
}
