import type { VideoRenderer } from "../../src/ports.ts";

/** Renders until its signal aborts. */
export const createEndlessRenderer = (onBegun: (signal: AbortSignal) => void = () => undefined): VideoRenderer => ({
  description: "endless",
  render: ({ signal, onProgress }) =>
    new Promise((_resolve, reject) => {
      onBegun(signal);
      onProgress(0.5);
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      if (signal.aborted) reject(signal.reason as Error);
    }),
});
