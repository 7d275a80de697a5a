import { WhisperModel } from "./whisper-model.ts";

/** Directories of the models, by the language each is for. */
export interface ModelDirectories {
  readonly default: string;
  readonly byLanguage: Readonly<Record<string, string>>;
}

/** The default model, loaded at once, and those for single languages, loaded when they are first needed. */
export class WhisperModels {
  readonly default: WhisperModel;
  readonly #byLanguage: Readonly<Record<string, string>>;
  readonly #threads: number;
  readonly #loading = new Map<string, Promise<WhisperModel>>();

  private constructor(model: WhisperModel, { byLanguage }: ModelDirectories, threads: number) {
    this.default = model;
    this.#byLanguage = byLanguage;
    this.#threads = threads;
  }

  /** Throws `WhisperError` "unavailable". */
  static async load(directories: ModelDirectories, threads: number): Promise<WhisperModels> {
    return new WhisperModels(await WhisperModel.load(directories.default, threads), directories, threads);
  }

  /** Whether a language has a model of its own. */
  isSpecialized(language: string): boolean {
    return this.#byLanguage[language] !== undefined;
  }

  /** The model that reads a language. Throws `WhisperError` "unavailable". */
  async forLanguage(language: string): Promise<WhisperModel> {
    const directory = this.#byLanguage[language];
    if (directory === undefined) return this.default;
    let loading = this.#loading.get(directory);
    if (!loading) {
      loading = WhisperModel.load(directory, this.#threads);
      this.#loading.set(directory, loading);
      // Whoever asked gets the failure; the next one tries again.
      loading.catch(() => this.#loading.delete(directory));
    }
    return loading;
  }
}
