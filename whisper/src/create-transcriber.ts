import type { MediaDecoder } from "./decoded-media.ts";
import type { Recogniser, Transcriber } from "./transcriber.ts";

export interface TranscriberOptions {
  readonly decoder: MediaDecoder;
  readonly recogniser: Recogniser;
  /** Audio after this many seconds is left out. */
  readonly maxSeconds: number;
}

/** Joins a decoder and a recogniser: recognition begins while decoding goes on, and each is stopped when the other fails. */
export function createTranscriber({ decoder, recogniser, maxSeconds }: TranscriberOptions): Transcriber {
  return {
    model: recogniser.model,
    description: `${recogniser.description ?? recogniser.model}; ${decoder.description}`,
    async ready() {
      await recogniser.ready();
    },
    async transcribe(path, options) {
      const abort = new AbortController();
      const signal = AbortSignal.any([options.signal, abort.signal]);
      try {
        const media = decoder.decode(path, { maxSeconds, signal });
        const details = Promise.all([media.info, media.truncated, media.warnings]);
        // A failure of the file is thrown by the samples.
        details.catch(() => {});
        const recognition = await recogniser.recognise(media, { ...options, signal });
        const [info, truncated, warnings] = await details;
        return { ...recognition, truncated, media: info, warnings: [...warnings, ...recognition.warnings] };
      } finally {
        abort.abort();
      }
    },
    async close() {
      await Promise.all([decoder.close(), recogniser.close()]);
    },
  };
}
