import { either, flag, list, nullable, number, oneOf, shape, text, type Guarded, type Guard } from "./guards.ts";

const Code = text(64);
const Handle = text(64);

/** A reel on its way into a report: what the service takes, and nothing else. */
const CollectedReel = shape({
  code: Code,
  caption: nullable(text(5_000)),
  views: nullable(number),
  likes: nullable(number),
  comments: nullable(number),
  takenAt: nullable(number),
  seconds: nullable(number),
});
export type CollectedReel = Guarded<typeof CollectedReel>;

const troubles = ["login", "rateLimited", "private", "empty", "drift", "offline", "left"] as const;
export type CollectTrouble = (typeof troubles)[number];

/** Reels that one report is made of at most. */
export const mostReels = 200;

const Collecting = shape({
  type: oneOf("collecting"),
  handle: Handle,
  state: oneOf("running", "paused", "done"),
  codes: list(Code, mostReels),
  trouble: nullable(oneOf(...troubles)),
});
export type Collecting = Guarded<typeof Collecting>;

/** From a page of the platform to the panel. */
export const isFromPage = either(
  shape({ type: oneOf("profile"), handle: Handle }),
  shape({ type: oneOf("reel"), code: Code }),
  shape({ type: oneOf("elsewhere") }),
  Collecting,
  shape({ type: oneOf("collected"), handle: Handle, reels: list(CollectedReel, mostReels) }),
  shape({ type: oneOf("playhead"), code: Code, at: number, isPlaying: flag }),
  shape({ type: oneOf("selection"), codes: list(Code, 1_000) }),
  shape({ type: oneOf("noMedia"), code: Code }),
);
export type FromPage = Guarded<typeof isFromPage>;

/** From the panel to the page of the platform that it is shown on. */
export const isFromPanel = either(
  shape({ type: oneOf("collect"), handle: Handle }),
  shape({ type: oneOf("pause", "resume", "finish", "forget") }),
  shape({ type: oneOf("seek"), at: number }),
  shape({ type: oneOf("follow", "select"), isOn: flag }),
  shape({ type: oneOf("library") }),
  shape({ type: oneOf("takeMedia"), code: Code, mostBytes: number, nonce: text(64) }),
  shape({ type: oneOf("leaveMedia") }),
  shape({ type: oneOf("close") }),
);
export type FromPanel = Guarded<typeof isFromPanel>;

/** From a page of the platform to the background: which of these reels are in the library. */
export const isLibraryQuestion = shape({ type: oneOf("inLibrary"), codes: list(Code, 2_000) });
export const isLibraryAnswer = list(Code, 2_000);

/** From the popup to the page in the active tab. */
export const isOpenRequest = shape({ type: oneOf("openPanel") });

/** What the panel's port is called, so that a page accepts the panel that it opened and no other. */
export const panelPort = (nonce: string): string => `panel ${nonce}`;

const isBuffer: Guard<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

/** The video of a reel on its way from the page to the panel. */
export const isMediaMessage = either(
  shape({ type: oneOf("begin"), bytes: nullable(number), mediaType: text(100) }),
  shape({ type: oneOf("part"), buffer: isBuffer }),
  shape({ type: oneOf("end", "failed", "tooLarge", "left") }),
);
export type MediaMessage = Guarded<typeof isMediaMessage>;
