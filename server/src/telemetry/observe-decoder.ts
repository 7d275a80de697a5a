import type { MediaDecoder } from "@reelscript/whisper";
import type { Decodings } from "./telemetry.ts";

/** More than any process decodes at a time; what nobody asked about is forgotten then. */
const mostRemembered = 1_000;

/** The same decoder; it notes when the samples of each file were first wanted, and when the last had come. */
export function observeDecoder(decoder: MediaDecoder, decodings: Decodings): MediaDecoder {
  return {
    description: decoder.description,
    close: () => decoder.close(),
    decode(file, options) {
      const media = decoder.decode(file, options);
      const samples: AsyncIterable<Float32Array> = {
        [Symbol.asyncIterator]() {
          const chunks = media.samples[Symbol.asyncIterator]();
          const wantedAt = performance.now();
          const note = (): void => {
            decodings.set(file, { wantedAt, decodedAt: performance.now() });
            const [oldest] = decodings.keys();
            if (decodings.size > mostRemembered && oldest !== undefined) decodings.delete(oldest);
          };
          return {
            async next() {
              const next = await chunks.next();
              if (next.done === true) note();
              return next;
            },
            async return() {
              note();
              return (await chunks.return?.()) ?? { done: true, value: undefined };
            },
          };
        },
      };
      return { ...media, samples };
    },
  };
}
