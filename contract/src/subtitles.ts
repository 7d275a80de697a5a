/** Subtitles of videos, for pages: none of these files imports zod. */
export { videoCues, type VideoSubtitles } from "./subtitles/video-cues.ts";
export {
  videoPicture,
  videoStyleNames,
  videoStyles,
  type VideoFont,
  type VideoStyle,
  type VideoStyleName,
} from "./subtitles/video-styles.ts";
