import type { VideoStyleName } from "@reelscript/contract/subtitles";

export const styleLabels: Readonly<Record<VideoStyleName, string>> = {
  lowerThird: "Lower third",
  oneLine: "One line",
  highlight: "Word by word",
};
