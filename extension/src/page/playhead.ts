interface Playhead {
  readonly at: number;
  readonly isPlaying: boolean;
}

const pollMilliseconds = 100;

/** Follows the video that the person is looking at. It reads only the position. */
export function createPlayhead(onChange: (playhead: Playhead) => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let last: Playhead | undefined;

  function poll(): void {
    const video = currentVideo();
    if (video === undefined) return;
    const next = { at: video.currentTime, isPlaying: !video.paused && !video.ended };
    if (last?.at === next.at && last.isPlaying === next.isPlaying) return;
    last = next;
    onChange(next);
  }

  return {
    follow(isOn: boolean): void {
      clearInterval(timer);
      last = undefined;
      if (isOn) timer = setInterval(poll, pollMilliseconds);
    },
    seek(at: number): void {
      const video = currentVideo();
      if (video === undefined) return;
      video.currentTime = Math.max(0, Math.min(at, Number.isFinite(video.duration) ? video.duration : at));
      // Browsers may refuse before the person has interacted with the page; then it stays at the position that was set.
      void video.play().catch(() => undefined);
    },
  };
}

/** Chooses the one nearest to the middle, because some pages show several, one below another. */
function currentVideo(): HTMLVideoElement | undefined {
  const distance = (video: HTMLVideoElement): number => {
    const { top, height } = video.getBoundingClientRect();
    return Math.abs(top + height / 2 - innerHeight / 2);
  };
  return [...document.querySelectorAll("video")].toSorted((one, other) => distance(one) - distance(other))[0];
}
