/** Moments that compare between processes of one machine, in milliseconds. */
export const moment = () => performance.timeOrigin + performance.now();

/** The same port; `record(method, from, to, result)` is told of each of its calls that ended well. */
export const timedPort = (port, record) =>
  Object.fromEntries(
    Object.entries(port).map(([name, method]) => [
      name,
      async (...parameters) => {
        const from = moment();
        const result = await method(...parameters);
        record(name, from, moment(), result);
        return result;
      },
    ]),
  );

/** The same decoder; `record(from, to)` is told when a file's samples were first asked for and when they had ended. */
export const timedDecoder = (decoder, record) => ({
  ...decoder,
  decode(path, options) {
    const decoded = decoder.decode(path, options);
    return { ...decoded, samples: timedSamples(decoded.samples, record) };
  },
});

async function* timedSamples(samples, record) {
  const from = moment();
  yield* samples;
  record(from, moment());
}
