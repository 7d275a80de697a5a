import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Note } from "../../components/page.tsx";
import { useMedia } from "../../components/use-media.ts";

interface Props {
  /** The draft as a merge patch in JSON. */
  readonly patch: string;
  /** Revision of the page to which the patch applies. */
  readonly revision: number;
  readonly active: boolean;
}

interface Frame {
  readonly number: number;
  readonly patch: string;
  readonly isReady: boolean;
}

const path = "/app/bio/preview";
const pauseMilliseconds = 300;
let frameCount = 0;

/**
 * The page itself with the draft applied, rendered by the service. Each state loads in a hidden frame behind the visible one
 * and then replaces it: nothing flickers, the scroll position stays, and the browser's history doesn't fill with drafts.
 */
export function LivePreview({ patch, revision, active }: Props) {
  const [frames, setFrames] = useState<readonly Frame[]>([]);
  const [failed, setFailed] = useState(false);
  const [again, setAgain] = useState(0);
  const visibleFrame = useRef<HTMLIFrameElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!active) return undefined;
    const load = (): void => {
      isFirst.current = false;
      frameCount += 1;
      const next = { number: frameCount, patch, isReady: false };
      setFrames((all) => [...all.filter(({ isReady }) => isReady), next]);
    };
    const timer = setTimeout(load, isFirst.current ? 0 : pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [patch, revision, active, again]);

  const onReady = (number: number, element: HTMLIFrameElement): void => {
    const scrollOffset = visibleFrame.current?.contentWindow?.scrollY ?? 0;
    element.contentWindow?.scrollTo(0, scrollOffset);
    visibleFrame.current = element;
    setFailed(false);
    setFrames((all) =>
      all
        .filter((frame) => frame.number >= number)
        .map((frame) => (frame.number === number ? { ...frame, isReady: true } : frame)),
    );
  };
  const onFailure = (number: number): void => {
    setFailed(true);
    setFrames((all) => all.filter((frame) => frame.number !== number));
  };
  return (
    <>
      <div className="phone">
        {frames.map((frame) => (
          <PreviewFrame
            key={frame.number}
            frame={frame}
            onReady={(element) => onReady(frame.number, element)}
            onFailure={() => onFailure(frame.number)}
          />
        ))}
      </div>
      {failed && (
        <Note kind="warn" icon="warn" live>
          The preview did not load. Your changes are kept.{" "}
          <button type="button" className="link" onClick={() => setAgain(again + 1)}>
            Try again
          </button>
        </Note>
      )}
    </>
  );
}

interface FrameProps {
  readonly frame: Frame;
  readonly onReady: (element: HTMLIFrameElement) => void;
  readonly onFailure: () => void;
}

function PreviewFrame({ frame: { number, patch, isReady }, onReady, onFailure }: FrameProps) {
  const form = useRef<HTMLFormElement>(null);
  const name = `bio-preview-${number}`;
  useLayoutEffect(() => form.current?.submit(), []);
  return (
    <>
      <iframe
        name={name}
        title={isReady ? "Live preview of the bio page" : "Next preview"}
        aria-hidden={isReady ? undefined : true}
        tabIndex={isReady ? undefined : -1}
        data-ready={isReady || undefined}
        sandbox="allow-same-origin"
        onLoad={({ currentTarget }) => {
          const address = addressOf(currentTarget);
          if (address === "about:blank" || isReady) return;
          if (address === path) onReady(currentTarget);
          else onFailure();
        }}
      />
      <form ref={form} action={path} method="post" target={name} hidden>
        <input type="hidden" name="patch" value={patch} readOnly />
      </form>
    </>
  );
}

/** The path, or the full address for other sites; undefined for the browser's own error page. */
function addressOf({ contentWindow }: HTMLIFrameElement): string | undefined {
  try {
    const { href, pathname } = contentWindow!.location; // safe: it is in the document
    return href === "about:blank" ? href : pathname;
  } catch {
    return undefined;
  }
}

/** True if editor and preview are next to each other; the breakpoint equals that of the styles. */
export const useWide = (): boolean => useMedia("(min-width: 1000px)");
