import {
  videoCues,
  videoPicture,
  videoStyles,
  type VideoFont,
  type VideoStyle,
  type VideoStyleName,
} from "@reelscript/contract/subtitles";
import { type CSSProperties, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { Output } from "@reelscript/client/core";
import { Note } from "../../../../components/page.tsx";

interface Props {
  readonly script: Output<"getScript">;
  /** Address of the kept file. */
  readonly address: string;
  readonly styleName: VideoStyleName;
}

/** The file with a style's words over it, as the video will show them: the same words, times, sizes and places. */
export function VideoPreview({ script, address, styleName }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [milliseconds, setMilliseconds] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  const { cues, font } = useMemo(() => videoCues(script, styleName), [script, styleName]);
  const style = videoStyles[styleName];
  const cue = cues.find(({ from, to }) => from <= milliseconds && milliseconds < to);
  const look = useEffectEvent(() => {
    if (video.current) setMilliseconds(Math.round(video.current.currentTime * 1_000));
  });
  /** Not the beginning, at which nobody speaks. */
  const showWords = useEffectEvent(() => {
    const [first] = cues;
    if (video.current && first) video.current.currentTime = first.from / 1_000 + 0.05;
  });
  useEffect(() => {
    // It may have loaded before the page listened.
    if (video.current && video.current.readyState >= HTMLMediaElement.HAVE_METADATA) showWords();
    let frame = requestAnimationFrame(function step() {
      look();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const spokenAt = cue?.lines
    .flat()
    .filter(({ at }) => at <= milliseconds)
    .at(-1)?.at;
  if (hasFailed)
    return (
      <Note kind="warn" icon="warn" live>
        Your browser can’t play this file, so there is no preview. The video can be made anyway.
      </Note>
    );
  return (
    <div className="video-preview">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its words are drawn over it */}
      <video
        ref={video}
        aria-label="Preview"
        src={address}
        controls
        controlsList="nofullscreen nodownload noremoteplayback"
        disablePictureInPicture
        playsInline
        preload="auto"
        onLoadedMetadata={showWords}
        onError={() => setFailed(true)}
      />
      {cue && (
        <div className="words" style={wordsStyle(style, cue.size, font)} lang={script.language}>
          {cue.lines.map((parts, index) => (
            <div key={index} dir="auto">
              <span>
                {parts.map(({ text, at }, part) => (
                  <span
                    key={part}
                    style={style.spoken !== undefined && at === spokenAt ? { color: `#${style.spoken}` } : undefined}
                  >
                    {text}
                  </span>
                ))}
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** A length in the picture of the video as a share of the preview's width. */
const inPicture = (pixels: number): string => `${(100 * pixels) / videoPicture.width}cqw`;

function wordsStyle({ color, isBold, edge, shadow, bottom }: VideoStyle, size: number, font: VideoFont): CSSProperties {
  const black = `rgb(0 0 0 / ${edge.opacity})`;
  return {
    color: `#${color}`,
    fontFamily: `"${font.family}", "Reel Scripts", "Instrument Sans", sans-serif`,
    fontWeight: isBold ? 700 : 400,
    fontSize: inPicture(size / font.lineShare),
    lineHeight: inPicture(size),
    insetInline: inPicture(videoPicture.side),
    bottom: inPicture(bottom),
    ...(edge.kind === "outline" && { WebkitTextStroke: `${inPicture(2 * edge.width)} ${black}` }),
    ...(edge.kind === "box" && { "--band": black, "--band-width": inPicture(edge.width) }),
    ...(shadow > 0 && {
      textShadow: `${inPicture(shadow)} ${inPicture(shadow)} 0 rgb(0 0 0 / ${edge.opacity / 2})`,
    }),
  };
}
