import { useEffect, useState } from "react";

interface Props {
  readonly text: string;
  readonly lang: string;
  /** Lets the words come one after another, as they are said. */
  readonly arriving: boolean;
}

const mostCharacters = 700;
const longestMilliseconds = 1_800;
const wordMilliseconds = 45;
/** The last words are marked while they come. */
const wordsSaid = 4;

/** The height is that of the whole text from the beginning. */
export function SpokenWords({ text, lang, arriving }: Props) {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters).replace(/\S*$/, "")}…` : text;
  const words = shown.split(/(?<=\s)/u);
  const count = useArriving(words.length, arriving);
  const said = count < words.length ? Math.max(0, count - wordsSaid) : count;
  return (
    <p className="live clamped" lang={lang} dir="auto">
      {words.slice(0, said).join("")}
      {said < count && <span className="said">{words.slice(said, count).join("").trimEnd()}</span>}
      {count < words.length && (
        <>
          <span className="caret" />
          <span className="unsaid">{words.slice(count).join("")}</span>
        </>
      )}
    </p>
  );
}

function useArriving(total: number, arriving: boolean): number {
  const still = !arriving || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const [count, setCount] = useState(still ? total : 0);
  useEffect(() => {
    if (still) return undefined;
    const length = Math.min(longestMilliseconds, total * wordMilliseconds);
    const begin = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min(1, Math.max(0, now - begin) / length);
      setCount(Math.round(total * share));
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [total, still]);
  return still ? total : count;
}
