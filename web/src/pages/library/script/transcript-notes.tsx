import { recognitionQualities } from "@reelscript/contract/values";
import { Moment } from "../../../components/inline.tsx";
import { Note, ErrorNote } from "../../../components/page.tsx";
import { duration, counted, exactNumber, percent, languageName } from "../../../format.ts";
import type { Output } from "@reelscript/client/core";
import { useChange } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { useMemo, useState } from "react";
import { useOpenScript } from "./open-script.ts";

const sureOfLanguage = 0.8;

/** Shown before the transcript, because a fluent text seems right. */
export function RoughNote() {
  const { rough, language } = useOpenScript().script;
  return (
    rough && (
      <Note icon="alert">
        A rough draft: the model gets many words of {language === undefined ? "this language" : languageName(language)}{" "}
        wrong. Listen before you quote it.
      </Note>
    )
  );
}

export function ReceiptNote({ words }: { readonly words: number }) {
  const { receipt, transcribedAt, language, analysis, rough } = useOpenScript().script;
  const { model, quality, languageProbability, speechSeconds, audioSeconds, cut } = receipt;
  const pace = analysis?.wordsPerMinute;
  return (
    <Note icon="wave">
      {counted(words, "word", "words")} in {counted(Math.max(1, Math.round(speechSeconds)), "second", "seconds")} of
      speech{pace !== undefined && `, ${exactNumber(pace)} a minute`}. Transcribed{" "}
      {transcribedAt && <Moment at={transcribedAt} style="long" />} by <bdi>{model}</bdi>.
      {language !== undefined && quality !== undefined && quality !== "unmeasured" && !rough && (
        <>
          {" "}
          {languageName(language)}: {recognitionQualities[quality]}.
        </>
      )}
      {languageProbability !== null && languageProbability < sureOfLanguage && (
        <> The model was {percent(languageProbability * 100, 0)} sure of the language.</>
      )}
      {cut && <> The reel is longer than that: we transcribed its first {duration(audioSeconds)}.</>}
    </Note>
  );
}

const because: Record<NonNullable<Output<"retranscribeScript">["reason"]>, string> = {
  empty: "No words were found this time",
  shorterAudio: "Less of the reel was recognized this time",
  notFewerGaps: "The new transcript is missing just as much",
  fewerWords: "The new transcript has fewer words",
};

/** Offered if the recognizer is newer than the transcript; then shows the outcome. */
export function TranscribeAgain() {
  const { script } = useOpenScript();
  const { mutate, data, error, isPending } = useChange("retranscribeScript", {
    stale: ["getScript", "searchMyScripts"],
  });
  const start = (): void => mutate({ id: script.id });
  if (data !== undefined)
    return (
      <Note icon="check" live>
        {data.replaced
          ? "Transcribed again. This is the new transcript."
          : `${data.reason === undefined ? "The old transcript is better" : because[data.reason]}, so we kept the old one.`}
      </Note>
    );
  return (
    <>
      <ErrorNote error={error} onRetry={start}>
        Your transcript is unchanged.
      </ErrorNote>
      {(script.retranscribable || isPending) && (
        <Note
          icon="wave"
          actions={
            <Button size="small" busy={isPending && "Transcribing…"} onClick={start}>
              Transcribe again
            </Button>
          }
        >
          Our speech recognition has improved since then. Transcribing again is free.
        </Note>
      )}
    </>
  );
}

export function UnsureWords() {
  const { script, moments, choose } = useOpenScript();
  const { segments, language } = script;
  const unsure = useMemo(
    () =>
      moments.words.flatMap((words, line) =>
        words
          .filter(({ isUnsure }) => isUnsure)
          .map(({ start, end, at }) => ({ at, text: segments[line]!.text.trim().slice(start, end) })),
      ),
    [moments, segments],
  );
  const [index, setIndex] = useState(-1);
  const word = unsure[index];
  if (unsure.length === 0) return undefined;
  const next = (index + 1) % unsure.length;
  return (
    <Note
      icon="alert"
      actions={
        <Button
          size="small"
          onClick={() => {
            setIndex(next);
            choose(unsure[next]!.at);
          }}
        >
          Next unsure word
        </Button>
      }
    >
      {counted(unsure.length, "unsure word", "unsure words")}, dotted in the text.{" "}
      <span role="status">
        {word && (
          <>
            “<span lang={language}>{word.text}</span>”, at {duration(word.at)}
          </>
        )}
      </span>
    </Note>
  );
}
