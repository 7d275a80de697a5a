import type { Models } from "../recognize-speech.ts";
import { WhisperModel } from "./whisper-model.ts";

/** Directories of the models, by the language each is for. */
interface ModelDirectories {
  readonly default: string;
  readonly byLanguage: Readonly<Record<string, string>>;
}

/**
 * The default model, loaded at once, and those for single languages, loaded when they are first needed. Throws `WhisperError`
 * "unavailable".
 */
export async function loadModels(directories: ModelDirectories, threads: number): Promise<Models> {
  const model = await WhisperModel.load(directories.default, threads);
  const loading = new Map<string, Promise<WhisperModel>>();
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
  };
}
