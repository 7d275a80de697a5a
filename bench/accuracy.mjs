import path from "node:path";
import { errorsOf, summed } from "./error-rates.mjs";
import { openTranscriber } from "./own-transcriber.mjs";
import { atMost, percent } from "./report.mjs";
import { decodedSamples, manifestClips, storedReels } from "./speech-clips.mjs";
import { mean } from "./statistics.mjs";
import { runWhisperCli, whisperCli, writeWav } from "./whisper-cli.mjs";

const languages = ["en", "es", "pt", "fr", "de", "it", "hi", "ta", "te", "ar", "id"];

/** What is heard in the stand-in's reels (and in SPEECH_DIR), by language, with the errors in words and characters. */
export async function benchAccuracy({ report, folder, threads }) {
  const other = whisperCli();
  const { SPEECH_DIR: speechFolder } = process.env;
  report.section(
    "Accuracy",
    "Errors per word and per character of the reference, summed over the clips of a language; case and punctuation do not count.",
    "The speech of hi, ta, te, ar, id (and de, pt) in the reels is synthesised: it says that the way works, not how good the model is.",
  );
  const transcriber = await openTranscriber({ threads });
  try {
    const reels = (await storedReels()).filter(({ text }) => text !== "");
    await benchClips("Reels of the stand-in", reels);
    if (speechFolder) await benchClips("Recordings of SPEECH_DIR", await manifestClips(path.resolve(speechFolder)));
    else report.note("No recordings beside the reels: set SPEECH_DIR to a folder with a MANIFEST.tsv.");
    if (!other) report.note("Not compared with whisper-cli: set WHISPER_CLI and WHISPER_CLI_MODEL.");
  } finally {
    await transcriber.close();
  }

  async function benchClips(title, clips) {
    const heard = [];
    for (const clip of clips) {
      const outcome = await transcriber.file(clip.path);
      const theirs = other && (await heardByWhisperCli(clip));
      heard.push({ clip, outcome, theirs });
    }
    report.note(`\n  ${title}: ${clips.length} clips`);
    const rows = languages
      .map((language) => [language, heard.filter(({ clip }) => clip.language === language)])
      .filter(([, group]) => group.length > 0);
    report.table(
      [
        "language",
        "clips",
        "word error",
        "character error",
        "detected as",
        "outcome",
        ...(other ? ["whisper-cli words"] : []),
      ],
      rows.map(([language, group]) => {
        const ours = summed(group.map(({ clip, outcome }) => errorsOf(clip.text, outcome.text)));
        return [
          language,
          group.length,
          percent(ours.wordErrors / ours.words),
          percent(ours.letterErrors / ours.letters),
          countsOf(group.map(({ outcome }) => outcome.language)),
          countsOf(group.map(({ outcome }) => outcome.refusal ?? (outcome.text === "" ? "empty" : "text"))),
          ...(other ? [percent(wordErrorOf(group.map(({ clip, theirs }) => errorsOf(clip.text, theirs))))] : []),
        ];
      }),
    );
    const good = rows.filter(([language]) => ["en", "es", "pt", "fr", "de", "it"].includes(language));
    const wrong = good.flatMap(([language, group]) => group.filter(({ outcome }) => outcome.language !== language));
    report.note(`en, es, pt, fr, de, it: ${wrong.length} clips taken for another language or refused.`);
    if (!other) return;
    const averageOf = (textOf) =>
      mean(good.map(([, group]) => wordErrorOf(group.map((one) => errorsOf(one.clip.text, textOf(one))))));
    const points = (averageOf(({ outcome }) => outcome.text) - averageOf(({ theirs }) => theirs)) * 100;
    report.figures([
      {
        what: `${title}: word error above whisper-cli's, mean of en es pt fr de it`,
        figure: `${points.toFixed(1)} points`,
        aim: atMost(points, 1, " point"),
      },
    ]);
  }

  async function heardByWhisperCli(clip) {
    const wavFile = path.join(folder, "clip.wav");
    await writeWav(wavFile, await decodedSamples(clip.path));
    return (await runWhisperCli(other, wavFile, threads)).text;
  }
}

function wordErrorOf(errors) {
  const { words, wordErrors } = summed(errors);
  return wordErrors / words;
}

/** "en", or "en 3, cy 1" when they differ. */
function countsOf(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, one], [, two]) => two - one);
  return sorted.length === 1 ? sorted[0][0] : sorted.map(([value, count]) => `${value} ${count}`).join(", ");
}
