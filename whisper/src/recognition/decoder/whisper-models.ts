import { embeddedHeads } from "../../embedded-model.ts";
import { HeadFolder } from "../heads/head-folder.ts";
import { SpeechHead } from "../heads/speech-head.ts";
import type { Models } from "../recognize-speech.ts";
import type { HeadDetection } from "../language-decision.ts";
import { WhisperModel } from "./whisper-model.ts";

/** Directories of the models, by the language each is for. */
interface ModelDirectories {
  readonly default: string;
  readonly byLanguage: Readonly<Record<string, string>>;
  /** Directories of heads that read a language from what the default model hears. */
  readonly heads: Readonly<Record<string, string>>;
}

/**
 * The default model, loaded at once, and models and heads for single languages, loaded when they are first needed. Throws
 * `WhisperError` "unavailable".
 */
export async function loadModels(directories: ModelDirectories, threads: number): Promise<Models> {
  const model = await WhisperModel.load(directories.default, threads);
  const loading = new Map<string, Promise<WhisperModel>>();
  const headsLoading = new Map<string, Promise<SpeechHead>>();
  const detections = new Map<string, HeadDetection>();
  const ownNames = new Map<string, string>();
  for (const [language, directory] of Object.entries(directories.heads)) {
    if (directories.byLanguage[language] !== undefined) continue;
    const { detection, name } = (await HeadFolder.open(directory)).manifest;
    detections.set(language, detection);
    if (directory !== embeddedHeads[language]) ownNames.set(language, name);
  }

  return {
    default: model,
    isSpecialized: (language) => directories.byLanguage[language] !== undefined,
    async forLanguage(language) {
      const directory = directories.byLanguage[language];
      if (directory === undefined) return model;
      const loaded = loading.get(directory) ?? WhisperModel.load(directory, threads);
      loading.set(directory, loaded);
      // Whoever asked gets the failure; the next one tries again.
      loaded.catch(() => loading.delete(directory));
      return loaded;
    },
    headDetection: (language) => detections.get(language),
    ownHeadName: (language) => ownNames.get(language),
    async headFor(language) {
      const directory = directories.heads[language];
      if (directory === undefined || !detections.has(language)) return undefined;
      const loaded = headsLoading.get(directory) ?? SpeechHead.load(directory, model.encoderFile, threads);
      headsLoading.set(directory, loaded);
      loaded.catch(() => headsLoading.delete(directory));
      return loaded;
    },
  };
}
