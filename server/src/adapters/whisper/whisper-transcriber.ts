import { languages, languageCodes, type Language, ServiceError, supportedLanguage } from "@reelscript/contract";
import { WhisperError, type Transcriber as WhisperTranscriber } from "@reelscript/whisper";
import type { RecognizerVersion, Transcriber, Translator } from "../../ports.ts";
import { RecognizerAway, RecognizerSilent, SpeechNotRecognized } from "../../recognition/recognition-errors.ts";

const accepted = languageCodes.map((code) => languages[code]).join(", ");

/** Languages that the running models can't transcribe, and those that they translate. */
export interface WhisperLimits {
  /** Languages that are translated; none by default. */
  readonly translated?: readonly Language[];
  /** Languages that they can't transcribe. */
  readonly unread: readonly Language[];
  /** Called on the first refusal of each of these languages. */
  readonly onUnread: (language: Language) => void;
}

/**
 * The `Transcriber` port over the whisper package, with the service's errors. `model` names all recognizers, including other
 * models for single languages.
 */
export function createWhisperTranscriber(
  whisper: WhisperTranscriber,
  { model, revision }: RecognizerVersion,
  { translated = [], unread, onUnread }: WhisperLimits = { unread: [], onUnread: () => undefined },
): Transcriber {
  const refused = new Set<Language>();
  const noteRefusal = (error: SpeechNotRecognized): SpeechNotRecognized => {
    const language = unread.find((one) => one === error.language);
    if (language === undefined) return error;
    if (!refused.has(language)) onUnread(language);
    refused.add(language);
    return new SpeechNotRecognized(error.language, error.model, true, error.isUnnamed);
  };
  return {
    model,
    revision,
    ...(translated.length > 0 && { translator: translatorBy(whisper, model, translated) }),
    prepare() {
      // The failure occurs again, and is reported, when the reel is fetched.
      whisper.ready().catch(() => undefined);
    },
    async transcribe(file, { language, spellings, maxSeconds, signal, onProgress, onPassage, onDraft, onWork }) {
      try {
        return await whisper.transcribe(file, {
          ...(language !== null && { language }),
          spellings,
          maxSeconds,
          signal,
          onProgress,
          onPassage: ({ language: spoken, segments }) =>
            onPassage?.({ language: spoken, text: segments.map(({ text }) => text).join(" ") }),
          onDraft,
          onWork,
        });
      } catch (error) {
        if (!(error instanceof WhisperError)) throw error;
        const failure = asServiceError(error, model);
        throw failure instanceof SpeechNotRecognized ? noteRefusal(failure) : failure;
      }
    },
    async measure(file, options) {
      try {
        return await whisper.measure(file, options);
      } catch (error) {
        throw error instanceof WhisperError ? asServiceError(error, model) : error;
      }
    },
  };
}

function translatorBy(whisper: WhisperTranscriber, model: string, languages: readonly Language[]): Translator {
  return {
    languages,
    async translate(file, { language, maxSeconds, signal, onProgress, onWork }) {
      try {
        const speech = await whisper.transcribe(file, {
          task: "translate",
          language,
          maxSeconds,
          signal,
          onProgress,
          onWork,
        });
        return {
          text: speech.text,
          segments: speech.segments.map(({ start, end, text, isUnsure }) => ({
            start,
            end,
            text,
            ...(isUnsure && { isUnsure }),
          })),
          gaps: speech.gaps,
          model: speech.model,
          revision: speech.revision,
        };
      } catch (error) {
        throw error instanceof WhisperError ? asServiceError(error, model) : error;
      }
    },
  };
}

function asServiceError(error: WhisperError, model: string): Error {
  const never = (
    reason: "unsupportedLanguage" | "noAudio" | "unreadableMedia" | "videoTooLarge",
    message: string,
  ): ServiceError => new ServiceError("invalidRequest", `${message} You weren't charged.`, { reason, cause: error });
  switch (error.code) {
    case "notRecognized":
      return new SpeechNotRecognized(error.language ?? "und", error.model ?? model);
    case "notReliable":
      return new SpeechNotRecognized(error.language ?? "und", error.model ?? model, false, true);
    case "unsupportedLanguage":
      return never(
        "unsupportedLanguage",
        `This reel is spoken in ${languageName(error.language)}, which is not supported. Supported are ${accepted}.`,
      );
    case "noAudioTrack":
      return never("noAudio", "This reel has no audio track, so there is nothing to transcribe.");
    case "unsupportedCodec":
      return never("unreadableMedia", "The sound of this reel is in a codec that cannot be decoded here.");
    case "unsupportedContainer":
    case "undecodable":
    case "brokenOff":
      return never("unreadableMedia", "The media of this reel is damaged or in a format that cannot be decoded.");
    case "tooLarge":
      return never("videoTooLarge", "The media of this reel is larger than can be transcribed here.");
    case "unavailable":
      return new RecognizerAway(error.language, error);
    case "silent":
      return new RecognizerSilent(error);
    case "timeout":
    case "memory":
    case "crashed":
    case "aborted":
      return new ServiceError(
        "internalError",
        "The transcription failed on our side. You weren't charged. Try again.",
        { cause: error },
      );
  }
}

function languageName(code: string | undefined): string {
  if (code === undefined) return "a language";
  const supportedCode = supportedLanguage(code);
  if (supportedCode) return languages[supportedCode];
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
