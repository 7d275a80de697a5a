import { Moment } from "../../../components/moment.tsx";
import { Note } from "../../../components/note.tsx";
import { duration } from "../../../format/duration.ts";
import { counted, exactNumber, percent } from "../../../format/number.ts";
import type { Output } from "../../../api/operation-types.ts";
import { speechPace } from "./speech-pace.ts";

/** Below this the language is rather a guess. */
const sureOfLanguage = 0.8;

/** How the transcript came to be, in words. */
export function ReceiptNote({ script, words }: { readonly script: Output<"getScript">; readonly words: number }) {
  const { receipt, transcribedAt } = script;
  const { model, languageProbability, speechSeconds, audioSeconds, cut } = receipt;
  const pace = speechPace(words, speechSeconds);
  return (
    <Note icon={words === 0 ? "sound" : "wave"}>
      {words === 0
        ? `No speech found in ${counted(Math.round(audioSeconds), "second", "seconds")}, so you weren’t charged. `
        : `${counted(words, "word", "words")} in ${counted(Math.max(1, Math.round(speechSeconds)), "second", "seconds")} of speech${
            pace === undefined ? "" : `, ${exactNumber(pace)} a minute`
          }. `}
      {transcribedAt === undefined ? (
        `Checked by ${model}.`
      ) : (
        <>
          {words === 0 ? "Checked" : "Transcribed"} <Moment at={transcribedAt} style="long" /> by <bdi>{model}</bdi>.
        </>
      )}
      {words > 0 && languageProbability !== null && languageProbability < sureOfLanguage && (
        <> The model was {percent(languageProbability * 100, 0)} sure of the language.</>
      )}
      {cut && <> The reel is longer than that: we transcribed its first {duration(audioSeconds)}.</>}
    </Note>
  );
}
