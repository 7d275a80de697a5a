import type { Claim, Store } from "../ports.ts";
import { createMachineHealth, createOutages, createPlatformHealth } from "./health.ts";
import { createFetchedReels } from "./fetch-reel.ts";
import { followFellowWorkers } from "./fellow-workers.ts";
import { Stranded, leaseSeconds, pause, workOnClaim } from "./work-on-claim.ts";
import type { Obstacle, WorkerNeeds, WorkOnClaimNeeds } from "./worker-needs.ts";
import { createRecognitionWatch } from "./recognition-watch.ts";
import { reportOutages } from "../rules/report-outages.ts";
import { roomOfFiles, roomOfReels } from "../rules/machine-needs.ts";

const pollMilliseconds = 1_000;

interface TranscriptionWorkerNeeds extends WorkerNeeds {
  /** Reels that a worker has at a time: all but one are recognized, and one is fetched meanwhile. */
  readonly concurrency: number;
  /** Its process makes videos, too. */
  readonly makesVideos?: boolean | undefined;
}

const isQueuedIn =
  ({ transcriptions }: Store) =>
  async (transcriptionId: string): Promise<boolean> =>
    (await transcriptions.find(transcriptionId))?.state === "queued";
/** Follows what keeps the worker from claiming, and reports it when that changes. */
function createObstacles({
  health,
  platform,
  outages,
  watch,
  onObstacle = () => undefined,
}: Pick<WorkOnClaimNeeds, "health" | "platform" | "outages"> &
  Pick<WorkerNeeds, "onObstacle"> & { readonly watch: { readonly isStalled: () => boolean } }) {
  let last: Obstacle | undefined;
  const note = (obstacle: Obstacle | undefined): void => {
    if (obstacle !== last) onObstacle(obstacle);
    last = obstacle;
  };
  async function find(inHand: number, alone: boolean): Promise<Obstacle | undefined> {
    if (alone) return "crashedReel";
    if (watch.isStalled()) return "recognizerStalled";
    const ofPlatform = platform.obstacle(inHand);
    if (ofPlatform !== undefined) return ofPlatform;
    if (!outages.mayClaim(inHand)) return "recognizerAway";
    if (await health.mayClaim()) return undefined;
    return health.hasRoom() ? "resting" : "noRoom";
  }
  return {
    note,
    /** Finds the obstacle of the moment, and reports it. */
    async find(inHand: number, alone: boolean): Promise<Obstacle | undefined> {
      const obstacle = await find(inHand, alone);
      if (obstacle !== undefined) note(obstacle);
      return obstacle;
    },
  };
}

/** Claims transcriptions, fetches the reels and transcribes them, until stopped. See docs/decisions/queue.md. */
export function startTranscriptionWorker(needs: TranscriptionWorkerNeeds) {
  const { store, clock, name, concurrency, makesVideos = false, onFault } = needs;
  const health = createMachineHealth({ ...needs, room: roomOfReels(needs.maxMediaBytes) });
  const roomForFiles = createMachineHealth({ ...needs, room: roomOfFiles(needs), work: "No files are heard here" });
  const claims = reportOutages(needs);
  const stopping = new AbortController();
  const inHand = new Map<AbortController, Promise<void>>();
  const watch = createRecognitionWatch<AbortController>(Math.max(1, concurrency - 1));
  let isDraining = false;
  const isWell = (): boolean => !isDraining && health.isWell() && platform.isWell() && !watch.isStalled();
  const platform = createPlatformHealth(() => fellows.hasWell());
  const outages = createOutages(needs);
  const fetchedReels = createFetchedReels({ most: concurrency, isQueued: isQueuedIn(store), onFault });
  const workNeeds = { ...needs, health, platform, outages, fetchedReels, renewals: reportOutages(needs) };
  const obstacles = createObstacles({ health, platform, outages, watch, onObstacle: needs.onObstacle });
  const fellows = followFellowWorkers({ store, clock, name, isWell, makesVideos });
  let alone = false;
  let woken = new AbortController();
  const wake = (): void => woken.abort();
  const unsubscribe = store.subscribe("queued", wake);

  async function claimOne(): Promise<boolean> {
    // A recognizer that hangs must hold up only its own reel, and not those that others could transcribe.
    if (fellows.hasWell()) for (const stranded of watch.stranded()) stranded.abort(new Stranded());
    // A fully busy worker claims nothing either, but that is not an obstacle.
    if (inHand.size >= concurrency) return false;
    const obstacle = await obstacles.find(inHand.size, alone);
    if (obstacle === "noRoom") await fetchedReels.clear();
    if (obstacle !== undefined) return false;
    const files = await roomForFiles.mayClaim();
    const options = { alone: inHand.size === 0, away: outages.restingPlatforms(), files };
    const claim = await store.transcriptions.claim(name, leaseSeconds, clock.now(), options);
    claims.succeeded();
    obstacles.note(undefined);
    if (claim !== undefined) begin(claim);
    return claim !== undefined;
  }

  function begin(claim: Claim): void {
    // A reel that was running during a crash may crash again, so it runs alone and nothing is lost with it.
    alone = claim.crashed === true;
    const end = new AbortController();
    if (stopping.signal.aborted) end.abort();
    const work = workOnClaim({ ...workNeeds, onProgress: () => watch.moved(end) }, claim, end.signal)
      .catch((error: unknown) => onFault(error, claim))
      .finally(() => {
        inHand.delete(end);
        watch.ended(end);
        alone = false;
        wake();
      });
    inHand.set(end, work);
  }

  async function claimAll(): Promise<void> {
    await fellows.known;
    while (!stopping.signal.aborted && !isDraining) {
      woken = new AbortController();
      const claimed = await claimOne().catch((error: unknown) => {
        claims.failed(error);
        obstacles.note("databaseAway");
        return false;
      });
      if (!claimed) await pause(pollMilliseconds, woken.signal);
    }
  }

  const claiming = claimAll();
  return {
    /** Claims nothing more; resolves when its reels are done. */
    async drain(): Promise<void> {
      isDraining = true;
      obstacles.note("draining");
      wake();
      await claiming;
      await Promise.all(inHand.values());
    },
    /** Returns its work to the queue without counting the attempt. */
    async stop(): Promise<void> {
      stopping.abort();
      for (const end of inHand.keys()) end.abort();
      unsubscribe();
      wake();
      await claiming;
      await Promise.all([fellows.stop(), ...inHand.values()]);
      await fetchedReels.clear();
    },
  };
}
