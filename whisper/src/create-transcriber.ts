import type { MediaDecoder } from "./decoded-media.ts";
import { HandOver, type Recognition, type Recognizer, type RecognizeOptions, type Transcriber } from "./transcriber.ts";

export interface TranscriberOptions {
  readonly decoder: MediaDecoder;
  readonly recognizer: Recognizer;
  /** Those that take over what `recognizer` hands over, by primary language subtag. */
  readonly others?: Readonly<Record<string, Recognizer>> | undefined;
  /** Audio after this many seconds is left out. */
  readonly maxSeconds: number;
}

/** Joins a decoder and a recognizer: recognition begins while decoding continues, and each is stopped when the other fails. */
export function createTranscriber({ decoder, recognizer, others = {}, maxSeconds }: TranscriberOptions): Transcriber {
  const all = [recognizer, ...Object.values(others)];
  const byOthers = Object.entries(others).map(([language, { model }]) => `${language} by ${model} at an endpoint`);

  async function transcribeWith(by: Recognizer, path: string, options: RecognizeOptions) {
    const abort = new AbortController();
    const signal = AbortSignal.any([options.signal, abort.signal]);
    try {
      const media = decoder.decode(path, { maxSeconds, signal });
      const recognition = await by.recognize(media, { ...options, signal });
      return { ...recognition, truncated: await media.truncated };
    } finally {
      abort.abort();
    }
  }

  return {
    model: recognizer.model,
    description: [recognizer.description ?? recognizer.model, ...byOthers, decoder.description].join("; "),
    async ready() {
      await Promise.all(all.map((one) => one.ready()));
    },
    async transcribe(path, options) {
      try {
        return await transcribeWith(recognizer, path, options);
      } catch (error) {
        const other = error instanceof HandOver ? others[error.heard.language] : undefined;
        if (other === undefined || !(error instanceof HandOver)) throw error;
        const { heard } = error;
        // The samples are gone: decoding them again takes less than keeping them all would.
        const recognition = await transcribeWith(other, path, { ...options, language: heard.language });
        return { ...recognition, ...detected(heard, recognition) };
      }
    },
    async close() {
      await Promise.all([decoder.close(), ...all.map((one) => one.close())]);
    },
  };
}

/** What is known of the language by its detection, unless the other recognizer heard another one. */
function detected(heard: HandOver["heard"], { language }: Recognition): Partial<Recognition> {
  return language === heard.language ? heard : { hintDecided: heard.hintDecided };
}
