import { languages, languageCodes, ServiceError, supportedLanguage } from "@reelscript/contract";
import { WhisperError, type Transcriber as WhisperTranscriber } from "@reelscript/whisper";
import type { Transcriber } from "../../ports.ts";
import { SpeechNotRecognised } from "../../speech-not-recognised.ts";

const accepted = languageCodes.map((code) => languages[code]).join(", ");

/**
 * The `Transcriber` port over the whisper package: its errors in the words of the service. `model` names everything that
 * recognises, other models for single languages too.
 */
export function createWhisperTranscriber(whisper: WhisperTranscriber, model: string): Transcriber {
  return {
    model,
    async transcribe(file, { language, signal, onProgress }) {
      try {
        return await whisper.transcribe(file, { ...(language !== null && { language }), signal, onProgress });
      } catch (error) {
        throw error instanceof WhisperError ? translate(error, model) : error;
      }
    },
  };
}

function translate(error: WhisperError, model: string): Error {
  const never = (message: string): ServiceError =>
    new ServiceError("invalidRequest", `${message} Nothing was charged.`, { status: 422, cause: error });
  switch (error.code) {
    case "notRecognised":
      return new SpeechNotRecognised(error.language ?? "und", error.model ?? model);
    case "unsupportedLanguage":
      return never(
        `This reel is spoken in ${languageName(error.language)}, which is not supported. Supported are ${accepted}.`,
      );
    case "noAudioTrack":
      return never("This reel has no audio track, so there is nothing to transcribe.");
    case "unsupportedCodec":
      return never("The sound of this reel is in a codec that cannot be decoded here.");
    case "unsupportedContainer":
    case "undecodable":
      return never("The media of this reel is damaged or in a format that cannot be decoded.");
    case "tooLarge":
      return never("The media of this reel is larger than can be transcribed here.");
    case "unavailable":
      return new ServiceError(
        "unavailable",
        "The speech recogniser is not available right now. Nothing was charged; try again in a minute.",
        { retryAfter: 60, cause: error },
      );
    case "timeout":
    case "memory":
    case "crashed":
    case "aborted":
      return new ServiceError("internalError", "The transcription broke off on our side.", { cause: error });
  }
}

function languageName(code: string | undefined): string {
  if (code === undefined) return "a language";
  const known = supportedLanguage(code);
  if (known) return languages[known];
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
