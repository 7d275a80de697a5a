import path from "node:path";
import { recognizerRevision } from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";
import type { RecognizerVersion } from "../ports.ts";

/** Names everything that recognizes speech, other models for single languages too. */
const modelOf = ({ transcriber }: Config): string => {
  if (transcriber.kind === "openai") return transcriber.model;
  const others = Object.entries(transcriber.languageModels).map(
    ([language, model]) => `${language}:${path.basename(model)}`,
  );
  return [path.basename(transcriber.model ?? "whisper-base"), ...others].join("+");
};

/** What hears the reels of this configuration. */
export const recognizerOf = (config: Config): RecognizerVersion => ({
  model: modelOf(config),
  revision: recognizerRevision,
});
