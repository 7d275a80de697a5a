import type { SpokenClip } from "./clip-states.ts";
import type { TrainedHead, TrainHeadOptions } from "./train-head.ts";

/** `trainHead`, which reads the library that runs models only when it is called. */
export async function trainHead(clips: readonly SpokenClip[], options: TrainHeadOptions): Promise<TrainedHead> {
  const work = await import("./train-head.ts");
  return work.trainHead(clips, options);
}
