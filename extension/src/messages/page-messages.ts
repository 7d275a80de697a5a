import { flag, list, messages, nullable, number, oneOf, shape, text, type Guarded, type Guard } from "./guards.ts";

const Code = text(64);
const Handle = text(64);

/** A reel on its way into a report, with exactly the fields that the service accepts. */
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

/** Maximum of reels in one report. */
export const mostReels = 200;

/** From a page of the platform to the panel. */
export const isFromPage = messages({
  profile: { handle: Handle },
  reel: { code: Code },
  elsewhere: {},
  collecting: {
    handle: Handle,
    state: oneOf("running", "paused", "done"),
    codes: list(Code, mostReels),
    trouble: nullable(oneOf(...troubles)),
  },
  collected: { handle: Handle, reels: list(CollectedReel, mostReels) },
  playhead: { code: Code, at: number, isPlaying: flag },
  selection: { codes: list(Code, 1_000) },
  noMedia: { code: Code },
});
export type FromPage = Guarded<typeof isFromPage>;
export type Collecting = Extract<FromPage, { readonly type: "collecting" }>;

/** From the panel to the page of the platform that it is shown on. */
export const isFromPanel = messages({
  collect: { handle: Handle },
  pause: {},
  resume: {},
  finish: {},
  forget: {},
  seek: { at: number },
  follow: { isOn: flag },
  select: { isOn: flag },
  library: {},
  takeMedia: { code: Code, mostBytes: number, nonce: text(64) },
  leaveMedia: {},
  close: {},
});
export type FromPanel = Guarded<typeof isFromPanel>;

/** From a page of the platform to the background: asks which of these reels are in the library. */
export const isLibraryQuestion = shape({ type: oneOf("inLibrary"), codes: list(Code, 2_000) });
export const isLibraryAnswer = list(Code, 2_000);

/** From the popup to the page in the active tab. */
export const isOpenRequest = shape({ type: oneOf("openPanel") });

/** From a page of the platform to the background: it is about to open a panel with this number. */
export const isPanelAnnouncement = shape({ type: oneOf("announcePanel"), nonce: text(64) });

/** From a panel to the background: asks whether our script opened it, or a page that frames its document itself. */
export const isPanelQuestion = shape({ type: oneOf("isPanelAnnounced"), nonce: text(64) });

const isBuffer: Guard<ArrayBuffer> = (value): value is ArrayBuffer => value instanceof ArrayBuffer;

/** The video of a reel on its way from the page to the panel. */
export const isMediaMessage = messages({
  begin: { bytes: nullable(number), mediaType: text(100) },
  part: { buffer: isBuffer },
  end: {},
  failed: {},
  tooLarge: {},
  left: {},
});
export type MediaMessage = Guarded<typeof isMediaMessage>;
