import { readdir } from "node:fs/promises";
import path from "node:path";
import { languages } from "@reelscript/contract";
import { type SpokenClip, trainHead, WhisperError } from "@reelscript/whisper";
import * as z from "zod";
import { AdminError } from "./admin-error.ts";
import { field, localCommand } from "./command.ts";
import { clipsIn } from "./measure-model.ts";
import { readLanguage } from "./read-language.ts";

export const trainHeadCommand = localCommand({
  words: "model train-head",
  summary: "Train a small network for one language on top of the included model, with your own clips",
  fields: {
    language: field("code", "The language that is spoken in the clips", z.string()),
    clips: field(
      "folder",
      "Sound files, each with its text, such as one.m4a and one.txt; with several speakers, a folder for each",
      z.string(),
    ),
    text: field(
      "file",
      "A file of sentences in the language, one per line, to learn which words follow each other",
      z.string().optional(),
    ),
    python: field(
      "program",
      "A Python with the packages in whisper/models/convert/requirements.txt; default: python3",
      z.string().optional(),
    ),
  },
  example: "model train-head --language te --clips clips --text sentences.txt",
  async run({ language, clips: folder, text, python = "python3" }, { config, workingDirectory, say }) {
    const code = readLanguage(language)!;
    const clips = await spokenClips(path.resolve(workingDirectory, folder));
    const { transcriber, dataDirectory, searchPath } = config;
    const trained = await trainHead(clips, {
      language: code,
      dataDirectory,
      texts: text === undefined ? [] : [path.resolve(workingDirectory, text)],
      python,
      searchPath,
      threads: transcriber.kind === "embedded" ? transcriber.threads : 1,
      signal: new AbortController().signal,
      onStep: say,
    }).catch((error: unknown) => {
      throw error instanceof WhisperError ? new AdminError("refused", error.message, error) : error;
    });
    return { language: code, ...trained };
  },
  text: ({ language, directory, clips, speakers, seconds, wordErrorPercent, characterErrorPercent }) =>
    [
      `Folder   ${directory}`,
      `Heard    ${clips} clips, ${Math.round(seconds / 60)} minutes${speakers === null ? "" : `, ${speakers} speakers`}`,
      `Wrong    ${wordErrorPercent} % of the words and ${characterErrorPercent} % of the characters, in ${speakers === null ? "clips" : "voices"} that it had not heard`,
      `Used for ${languages[language]}, from the next start of the service on; remove the folder to go back.`,
    ].join("\n"),
});

/** Pairs of audio and text in a folder, and in one folder per speaker. Throws `AdminError`. */
async function spokenClips(folder: string): Promise<SpokenClip[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new AdminError("refused", `${folder} cannot be read.`, error);
  });
  const speakers = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const clips: SpokenClip[] = [];
  for (const speaker of speakers.length === 0 ? [undefined] : speakers)
    for (const { file, text } of await clipsIn(path.join(folder, speaker ?? ""))) clips.push({ file, speaker, text });
  return clips;
}
