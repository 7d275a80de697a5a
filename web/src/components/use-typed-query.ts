import { useEffect, useRef, useState } from "react";

/** Typing continues while a search is under way; this pause begins one. */
const pauseMilliseconds = 220;

/**
 * The text of a search field whose settled value is in the address. A change of the address from elsewhere (Back, a
 * link) wins over what was typed; the echo of what was settled here does not.
 */
export function useTypedQuery(
  query: string,
  onSettled: (query: string) => void,
): readonly [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(query);
  const [seen, setSeen] = useState(query);
  const [sent, setSent] = useState<readonly string[]>([]);
  const settle = useRef(onSettled);
  useEffect(() => {
    settle.current = onSettled;
  });
  if (seen !== query) {
    setSeen(query);
    if (sent.includes(query)) setSent(sent.slice(sent.indexOf(query) + 1));
    else {
      setSent([]);
      setTyped(query);
    }
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === query || sent.at(-1) === wanted) return undefined;
    const begin = (): void => {
      setSent((before) => [...before, wanted]);
      settle.current(wanted);
    };
    const timer = setTimeout(begin, wanted === "" ? 0 : pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, query, sent]);
  return [typed, setTyped];
}
