import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createOpenAiRecognizer,
  createTranscriber,
  type DownloadProgress,
  embeddedHeads,
  type EmbeddedRecognizer,
  type EmbeddedRecognizerOptions,
  embeddedModelDirectory,
  embeddedModelName,
  locateModel,
  type Transcriber,
  qualityOfErrors,
  unreliableLanguages,
} from "@reelscript/whisper";
import { longestSound } from "../recognition/file-content.ts";
import type { Config } from "../settings/config.ts";
import type { EmbeddedTranscriberSettings } from "../settings/parts-of-config.ts";
import { observeDecoder } from "../telemetry/observe-work.ts";
import type { Decodings } from "../telemetry/telemetry.ts";

/** The configured transcriber. */
export interface OpenedWhisper extends Transcriber {
  /** Its embedded part; `undefined` if an endpoint recognizes speech. */
  readonly recognizer: EmbeddedRecognizer | undefined;
}

interface Listener {
  readonly onDownload: (progress: DownloadProgress) => void;
  readonly decodings?: Decodings | undefined;
}

/** Opens the configured recognizer, ready for work. Throws `WhisperError`. */
export async function openWhisper(config: Config, { onDownload, decodings }: Listener): Promise<OpenedWhisper> {
  const { transcriber, maxAudioSeconds: maxSeconds, ffmpegPath, searchPath } = config;
  const maxBytes = Math.max(config.maxMediaBytes, config.maxFileBytes);
  const embedded = transcriber.kind === "embedded" ? await openEmbedded(transcriber, config, onDownload) : undefined;
  const recognizer = transcriber.kind === "openai" ? createOpenAiRecognizer(transcriber) : embedded!;
  const longestSeconds = Math.max(maxSeconds, longestSound(config.maxFileSeconds));
  const plain = await createMediaDecoder({ ffmpegPath, maxBytes, longestSeconds, searchPath });
  const decoder = decodings ? observeDecoder(plain, decodings) : plain;
  const endpoints = transcriber.kind === "embedded" ? Object.entries(transcriber.endpoints) : [];
  const others = Object.fromEntries(
    endpoints.map(([language, endpoint]) => [language, createOpenAiRecognizer(endpoint)]),
  );
  const whisper = createTranscriber({ decoder, recognizer, others, maxSeconds });
  try {
    await whisper.ready();
    return { ...whisper, recognizer: embedded };
  } catch (error) {
    await whisper.close();
    throw error;
  }
}

async function openEmbedded(
  {
    model: modelName,
    languageModels: chosenByLanguage,
    heads: ownHeads,
    endpoints,
    hubUrl,
    threads,
    idleSeconds,
  }: EmbeddedTranscriberSettings,
  { dataDirectory, slots }: Config,
  onProgress: Listener["onDownload"],
): Promise<EmbeddedRecognizer> {
  const locate = async (model = embeddedModelName): Promise<string> =>
    model === embeddedModelName ? embeddedModelDirectory : locateModel(model, { dataDirectory, hubUrl, onProgress });
  const modelDirectory = await locate(modelName);
  const languageModels: Record<string, string> = {};
  for (const [language, model] of Object.entries(chosenByLanguage)) languageModels[language] = await locate(model);
  return createEmbeddedRecognizer({
    modelDirectory,
    languageModels,
    ...(Object.keys(ownHeads).length > 0 && ownHeadsAfter(ownHeads)),
    elsewhere: Object.keys(endpoints),
    slots,
    threads,
    idleSeconds,
  });
}

/**
 * The included heads, replaced by the operator's own where they exist; their own figures say how well these recognize their
 * language.
 */
function ownHeadsAfter(
  ownHeads: EmbeddedTranscriberSettings["heads"],
): Pick<EmbeddedRecognizerOptions, "heads" | "unreliable"> {
  const directories = Object.entries(ownHeads).map(([language, { directory }]) => [language, directory] as const);
  return {
    heads: { ...embeddedHeads, ...(Object.fromEntries(directories) as Record<string, string>) },
    unreliable: [
      ...unreliableLanguages.filter((language) => ownHeads[language] === undefined),
      ...Object.entries(ownHeads).flatMap(([language, { errors }]) =>
        errors && qualityOfErrors(errors) === "unreliable" ? [language] : [],
      ),
    ],
  };
}
