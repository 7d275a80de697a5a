import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useOpenScript, type Player } from "./open-script.ts";
import { momentBefore, type Moment, type ScriptMoments } from "./script-moments.ts";
import { peopleBasePath, reelPlayerOf, type ReelPlayer as ReelSource } from "@reelscript/contract/values";
import type { Output } from "@reelscript/client/core";
import { Button } from "../../../components/button.tsx";
import { classNames } from "../../../components/class-names.ts";
import { useKey } from "../../../components/use-key.ts";
import { Note } from "../../../components/page.tsx";

export function usePlayer(
  { reelUrl, file }: Pick<Output<"getScript">, "reelUrl" | "file">,
  moments: ScriptMoments,
  from: number | undefined,
): Player {
  const fileId = file?.id;
  const source = useMemo(
    (): ReelSource | undefined =>
      fileId === undefined
        ? reelPlayerOf(reelUrl)
        : { kind: "video", address: `${peopleBasePath}/files/${fileId}/media` },
    [reelUrl, fileId],
  );
  const [isOpen, setOpen] = useState(false);
  const [isPlaying, setPlaying] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const [moment, setMoment] = useState<Moment>();
  const media = useRef<HTMLVideoElement>(null);
  const look = useEffectEvent(() => {
    if (media.current) setMoment(momentBefore(moments, media.current.currentTime));
  });
  useEffect(() => {
    if (!isPlaying) return undefined;
    let frame = requestAnimationFrame(function step() {
      look();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying]);

  const play = (): void => void media.current?.play().catch(() => setPlaying(false));
  const toggle = (): void => {
    if (source?.kind === "embed") setOpen(!isOpen);
    else if (!isOpen) setOpen(true);
    else if (isPlaying) media.current?.pause();
    else play();
  };
  const isHeard = isOpen && source?.kind === "video";
  useKey(" ", toggle, (target) => !isHeard || ownsSpace(target));
  return {
    source,
    isOpen,
    isPlaying,
    hasFailed,
    moment,
    toggle,
    from: from ?? 0,
    pause: () => media.current?.pause(),
    seek(second) {
      if (media.current === null) return;
      media.current.currentTime = second;
      setMoment(momentBefore(moments, second));
    },
    video: {
      ref: media,
      src: source?.kind === "video" ? source.address : undefined,
      controls: true,
      playsInline: true,
      // The video is redirected from another origin than its page.
      crossOrigin: "anonymous",
      onLoadedMetadata({ currentTarget }) {
        currentTarget.currentTime = from ?? 0;
        play();
      },
      onPlay: () => setPlaying(true),
      onPause: () => {
        setPlaying(false);
        look();
      },
      onSeeked: () => look(),
      onError: () => setFailed(true),
    },
  };
}

/** Elements that handle the space bar themselves. */
const ownsSpace = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, select, button, summary, video, dialog, [contenteditable]") !== null;

export function ReelPlayer() {
  const { source, from, hasFailed, video } = useOpenScript().player;
  // Another start second would reload it.
  const [begin] = useState(Math.floor(from));
  if (source?.kind === "embed")
    return (
      <div className="player embed stack">
        <iframe
          title={`The reel on ${source.platform}`}
          src={source.addressAt(begin)}
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          allow="autoplay; encrypted-media; fullscreen"
        />
        <p className="hint">{source.platform}’s player doesn’t tell us where it is, so the words don’t follow it.</p>
      </div>
    );
  return (
    <div className={classNames("player stack", hasFailed && "failed")}>
      {hasFailed ? (
        <Note kind="warn" icon="warn" live>
          We couldn’t load the video. It may be gone from the platform.
        </Note>
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript follows the video
        <video aria-label="Reel" {...video} />
      )}
    </div>
  );
}

export function PlayButton() {
  const { source, isOpen, isPlaying, toggle } = useOpenScript().player;
  if (source === undefined) return undefined;
  const isEmbedded = source.kind === "embed";
  const [label, otherLabel] = isEmbedded
    ? [isOpen ? "Hide reel" : "Show reel", isOpen ? "Show reel" : "Hide reel"]
    : [isPlaying ? "Pause" : "Play", isPlaying ? "Play" : "Pause"];
  return (
    <Button icon={isPlaying ? "pause" : "play"} onClick={toggle}>
      <span className="as-wide-as-both">
        <span>{label}</span>
        <span className="keeps-its-place" aria-hidden="true">
          {otherLabel}
        </span>
      </span>
    </Button>
  );
}
