import type { MediaDecoder } from "@reelscript/whisper";

/** Moments that compare between processes of one machine, in milliseconds. */
export const moment = (): number => performance.timeOrigin + performance.now();

/** The same port; `record(method, from, to, result)` receives each call that succeeded. */
export const timedPort = <Port extends object>(
  port: Port,
  record: (method: string, from: number, to: number, result: unknown) => void,
): Port =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]: [string, (...parameters: unknown[]) => unknown]) => [
      name,
      async (...parameters: unknown[]) => {
        const from = moment();
        const result = await method(...parameters);
        record(name, from, moment(), result);
        return result;
      },
    ]),
  ) as Port;

/** The same decoder; `record(from, to)` receives when a file's samples were first requested and when they ended. */
export const timedDecoder = (decoder: MediaDecoder, record: (from: number, to: number) => void): MediaDecoder => ({
  ...decoder,
  decode(path, options) {
    const decoded = decoder.decode(path, options);
    return { ...decoded, samples: timedSamples(decoded.samples, record) };
  },
});

async function* timedSamples(
  samples: AsyncIterable<Float32Array>,
  record: (from: number, to: number) => void,
): AsyncGenerator<Float32Array> {
  const from = moment();
  yield* samples;
  record(from, moment());
}
