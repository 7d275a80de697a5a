import { useEffect, useRef } from "react";
import { Button } from "../../components/button.tsx";

interface Props {
  readonly onMore: () => void;
  readonly loading: boolean;
  /** After trouble the next try is the person's. */
  readonly paused: boolean;
}

/** Goes on by itself when it comes near; and by a press, where that does not happen. */
export function ShowMore({ onMore, loading, paused }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null || loading || paused) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more.current();
      },
      { rootMargin: "800px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [loading, paused]);
  return (
    <div ref={place} className="show-more">
      <Button kind="quiet" busy={loading ? "Loading…" : undefined} onClick={onMore}>
        Show more
      </Button>
    </div>
  );
}
