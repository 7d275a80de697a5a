/** Subtitles of videos, for pages: none of these files imports zod. */
export { videoCues, type VideoSubtitles } from "./subtitles/video-cues.ts";
export {
  letterSizeShare,
  videoPicture,
  videoStyleNames,
  videoStyles,
  type VideoStyle,
  type VideoStyleName,
} from "./subtitles/video-styles.ts";
