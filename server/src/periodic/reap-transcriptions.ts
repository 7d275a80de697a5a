import type { Failure, PeriodicTask, Transcriptions } from "../ports.ts";

/** Fails transcriptions whose workers died, once they have no attempt left. */
export const reapTranscriptions = (transcriptions: Pick<Transcriptions, "reap">, failure: Failure): PeriodicTask => ({
  name: "reap-transcriptions",
  everySeconds: 5,
  scope: "process",
  async run(now) {
    await transcriptions.reap(failure, now);
    return false;
  },
});
