import { videoLimits } from "@reelscript/contract";
import type { PeriodicTask } from "../../ports.ts";
import { createMachineHealth } from "../health.ts";
import { leaseSeconds, pause } from "../work-on-claim.ts";
import { makeVideo, type MakeVideoNeeds } from "./make-video.ts";
import { workersDied } from "./video-failures.ts";

const pollMilliseconds = 2_000;

interface VideoWorkerNeeds extends Omit<MakeVideoNeeds, "health"> {
  /** Unique among workers. */
  readonly name: string;
  readonly maxFileBytes: number;
  /** Disk space that transcriptions may need at the same time. */
  readonly bytesOfTranscriptions: number;
}

/** Makes subtitled videos, one after another, until stopped. See docs/decisions/files.md. */
export function startVideoWorker(needs: VideoWorkerNeeds) {
  const { store, clock, name, maxFileBytes, bytesOfTranscriptions, onFault } = needs;
  const stopping = new AbortController();
  const draining = new AbortController();
  // It never takes the room that a transcription needs.
  const room = maxFileBytes + videoLimits.mostBytes + bytesOfTranscriptions;
  const health = createMachineHealth({ ...needs, room, work: "No subtitled videos are made" });
  let isReported = false;

  async function loop(): Promise<void> {
    while (!draining.signal.aborted) {
      const claim = (await health.mayClaim())
        ? await store.videos.claim(name, leaseSeconds, clock.now()).then(
            (claimed) => {
              isReported = false;
              return claimed;
            },
            (error: unknown) => {
              if (!isReported) onFault(error);
              isReported = true;
              return undefined;
            },
          )
        : undefined;
      if (claim === undefined) await pause(pollMilliseconds, draining.signal);
      else
        await makeVideo({ ...needs, health }, claim, stopping.signal).catch((error: unknown) => onFault(error, claim));
    }
  }

  const working = loop();
  return {
    /** Claims nothing more; resolves when its video is done. */
    async drain(): Promise<void> {
      draining.abort();
      await working;
    },
    /** Puts its video back without counting the try. */
    async stop(): Promise<void> {
      draining.abort();
      stopping.abort();
      await working;
    },
  };
}

/** Fails videos whose workers died, once they have no try left. */
export const reapVideos = ({ store, clock }: Pick<MakeVideoNeeds, "store" | "clock">): PeriodicTask => ({
  name: "reap-videos",
  everySeconds: 10,
  scope: "process",
  async run() {
    await store.videos.reap(workersDied, clock.now());
    return false;
  },
});
