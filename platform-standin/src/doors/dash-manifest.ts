import { separateTracks } from "../made-media/separate-tracks.ts";
import type { MediaLinks, TrackName } from "../reels/media-links.ts";
import type { StandinMedia, StandinReel } from "../reels/standin-reel.ts";
import { escapeHtml } from "./markup.ts";

/** Less than any other: a reader that takes the leanest without looking at its codec takes what it can't decode. */
const unreadableBandwidth = 12_000;

/** Picture and sound as files of their own, or null where the video is none that could be taken apart. */
export async function dashManifest(
  reel: StandinReel,
  media: StandinMedia,
  index: number,
  links: MediaLinks,
): Promise<string | null> {
  const tracks = await separateTracks(media);
  if (tracks === undefined) return null;
  const { video, audio } = tracks;
  const rate = (bytes: Buffer) => Math.round((bytes.length * 8) / Math.max(media.seconds, 0.1));
  const representation = (track: TrackName, bandwidth: number, attributes: string) =>
    `<Representation id="${track}" bandwidth="${bandwidth}" ${attributes}>` +
    `<BaseURL>${escapeHtml(links.track(reel, index, track))}</BaseURL></Representation>`;
  const sound = audio && [
    representation("unreadable", unreadableBandwidth, 'codecs="mp4a.40.42" mimeType="audio/mp4"'),
    ...(reel.form === "unreadableSound"
      ? []
      : [representation("audio", rate(audio), 'codecs="mp4a.40.2" mimeType="audio/mp4"')]),
  ];
  const size = `width="${media.width}" height="${media.height}"`;
  const picture = representation("video", rate(video), `codecs="avc1.64001e" mimeType="video/mp4" ${size}`);
  return (
    '<?xml version="1.0" encoding="UTF-8"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ' +
    `mediaPresentationDuration="PT0H${Math.floor(media.seconds / 60)}M${(media.seconds % 60).toFixed(3)}S">` +
    `<Period><AdaptationSet contentType="video">${picture}</AdaptationSet>` +
    `${sound ? `<AdaptationSet contentType="audio">${sound.join("")}</AdaptationSet>` : ""}</Period></MPD>`
  );
}
