export { startPlatformStandin, type PlatformStandin, type PlatformStandinOptions } from "./start-platform-standin.ts";
export type { AddedReel } from "./make-reel.ts";
export type { MediaFault } from "./media-fault.ts";
export type { RequestCounters, RequestKind } from "./request-counters.ts";
export { urlShapes, type UrlShape } from "./reel-url.ts";
export type { StandinReel } from "./standin-reel.ts";
export { allDoors, jsonDoors, type Door, type Wall, type WallName } from "./wall.ts";
export { hostileShareTargets } from "./share-links.ts";
export { codeOfMediaId, mediaIdOfCode, mintedAtOfMediaId } from "./shortcode.ts";
