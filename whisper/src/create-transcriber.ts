import type { MediaDecoder } from "./decoded-media.ts";
import type { Recognizer, Transcriber } from "./transcriber.ts";

export interface TranscriberOptions {
  readonly decoder: MediaDecoder;
  readonly recognizer: Recognizer;
  /** Audio after this many seconds is left out. */
  readonly maxSeconds: number;
}

/** Joins a decoder and a recognizer: recognition begins while decoding continues, and each is stopped when the other fails. */
export function createTranscriber({ decoder, recognizer, maxSeconds }: TranscriberOptions): Transcriber {
  return {
    model: recognizer.model,
    description: `${recognizer.description ?? recognizer.model}; ${decoder.description}`,
    async ready() {
      await recognizer.ready();
    },
    async transcribe(path, options) {
      const abort = new AbortController();
      const signal = AbortSignal.any([options.signal, abort.signal]);
      try {
        const media = decoder.decode(path, { maxSeconds, signal });
        const details = Promise.all([media.info, media.truncated]);
        // A failure of the file is thrown by the samples.
        details.catch(() => undefined);
        const recognition = await recognizer.recognize(media, { ...options, signal });
        const [info, truncated] = await details;
        return { ...recognition, truncated, media: info };
      } finally {
        abort.abort();
      }
    },
    async close() {
      await Promise.all([decoder.close(), recognizer.close()]);
    },
  };
}
