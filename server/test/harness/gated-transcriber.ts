import type { Transcriber } from "../../src/ports.ts";

export interface GatedTranscriber extends Transcriber {
  /** Transcriptions wait until `open` is called. */
  close(): void;
  open(): void;
  /** Transcriptions at the closed gate. A reel already counts as running before that, while it is fetched. */
  readonly waiting: number;
}

/** Reports half of the work, then returns the same text for every reel once the gate is open. */
export function createGatedTranscriber(): GatedTranscriber {
  let opened = Promise.resolve();
  let open = (): void => undefined;
  let waiting = 0;
  const transcriber: GatedTranscriber = {
    model: "one-sentence",
    revision: 1,
    close() {
      opened = new Promise((resolve) => (open = resolve));
    },
    open: () => open(),
    get waiting() {
      return waiting;
    },
    measure: async () => ({ seconds: 3, isLonger: false }),
    async transcribe(_file, { onProgress, signal }) {
      onProgress(0.5);
      const stopped = new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        if (signal.aborted) reject(signal.reason as Error);
      });
      waiting += 1;
      await Promise.race([opened, stopped]).finally(() => (waiting -= 1));
      return {
        text: "The same sentence for every reel.",
        segments: [{ start: 0, end: 2, text: "The same sentence for every reel." }],
        language: "en",
        languageProbability: 0.9,
        seconds: 3,
        speechSeconds: 2,
        truncated: false,
        model: transcriber.model,
        revision: transcriber.revision,
        hintDecided: false,
        words: null,
        gaps: [],
      };
    },
  };
  return transcriber;
}
