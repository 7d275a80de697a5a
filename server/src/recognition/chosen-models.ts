import { embeddedModelName, type ModelChoice, readModelChoice } from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";

/**
 * The configuration with the models that the operator chose by `reelscript model use`. What the environment names comes
 * first. Throws `WhisperError` when the choice cannot be read.
 */
export async function withChosenModels(config: Config): Promise<Config> {
  const { transcriber, dataDirectory } = config;
  if (transcriber.kind !== "embedded") return config;
  return {
    ...config,
    transcriber: { ...transcriber, ...modelsInUse(transcriber, await readModelChoice(dataDirectory)) },
  };
}

/** Which model is for all languages (`undefined` is the embedded one), and which are for single ones. */
export function modelsInUse(
  environment: { readonly model: string | undefined; readonly languageModels: Readonly<Record<string, string>> },
  choice: ModelChoice,
): { readonly model: string | undefined; readonly languageModels: Readonly<Record<string, string>> } {
  const all = environment.model ?? choice.all ?? embeddedModelName;
  const languages = Object.entries({ ...choice.languages, ...environment.languageModels });
  return {
    model: all === embeddedModelName ? undefined : all,
    languageModels: Object.fromEntries(languages.filter(([, model]) => model !== all)),
  };
}
