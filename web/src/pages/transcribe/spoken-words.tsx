import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { classNames } from "../../components/class-names.ts";

interface Props {
  readonly text: string;
  readonly draft?: string | undefined;
  readonly lang: string;
  readonly arriving: boolean;
  /** More words come; the newest lines are shown. Afterward the box shows the first ones again. */
  readonly continues: boolean;
}

const mostCharacters = 700;
const longestMilliseconds = 1_800;
const wordMilliseconds = 45;
const wordsSaid = 4;
/** As long as a browser takes to scroll. */
const rewindMilliseconds = 600;

/** Three lines at most, and as high as the whole text that is known from the beginning: nothing below moves word by word. */
export function SpokenWords({ text, draft, lang, arriving, continues }: Props) {
  const isRolling = useRolling(continues);
  const isCut = !isRolling && text.length > mostCharacters;
  const shown = isCut ? `${text.slice(0, mostCharacters).replace(/\S*$/, "")}…` : text;
  const wordsIn = (said: string): readonly string[] => (said === "" ? [] : said.split(/(?<=\s)/u));
  const settled = wordsIn(shown).length;
  const words = wordsIn([shown, draft].filter(Boolean).join(" "));
  const count = useArriving(words.length, arriving);
  const isSpeaking = continues || count < words.length;
  const said = isSpeaking ? Math.max(0, count - wordsSaid) : count;
  const box = useRef<HTMLParagraphElement>(null);
  const caret = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!continues || !box.current || !caret.current) return;
    const line = parseFloat(getComputedStyle(box.current).lineHeight);
    const hidden = caret.current.offsetTop + caret.current.offsetHeight - box.current.clientHeight;
    box.current.scrollTop = Math.round(hidden / line) * line;
  }, [continues, count]);
  useEffect(() => {
    if (!continues && isRolling) box.current?.scrollTo({ top: 0, behavior: isMotionReduced() ? "instant" : "smooth" });
  }, [continues, isRolling]);
  return (
    <p ref={box} className={classNames("live", isRolling ? "rolling" : "clamped")} lang={lang} dir="auto">
      {words.slice(0, Math.min(said, settled)).join("")}
      {said > settled && <span className="draft">{words.slice(settled, said).join("")}</span>}
      {said < count && <span className="said">{words.slice(said, count).join("").trimEnd()}</span>}
      {isSpeaking && <span ref={caret} className="caret" />}
      {count < words.length && <span className="unsaid">{words.slice(count).join("")}</span>}
    </p>
  );
}

function useRolling(continues: boolean): boolean {
  const [isRolling, setRolling] = useState(continues);
  if (continues && !isRolling) setRolling(true);
  useEffect(() => {
    if (continues || !isRolling) return undefined;
    const timer = setTimeout(() => setRolling(false), rewindMilliseconds);
    return () => clearTimeout(timer);
  }, [continues, isRolling]);
  return isRolling;
}

function useArriving(total: number, arriving: boolean): number {
  const still = !arriving || isMotionReduced();
  const [count, setCount] = useState(0);
  const reached = useRef(0);
  useEffect(() => {
    if (still) return undefined;
    const from = Math.min(reached.current, total);
    const length = Math.min(longestMilliseconds, (total - from) * wordMilliseconds);
    const begin = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = length === 0 ? 1 : Math.min(1, Math.max(0, now - begin) / length);
      reached.current = from + Math.round((total - from) * share);
      setCount(reached.current);
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [total, still]);
  return still ? total : Math.min(count, total);
}

const isMotionReduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
