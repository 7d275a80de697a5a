import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** The width in pixels that an element is given, and gets when the window changes; 0 before it is on the page. */
export function useWidth<Element extends HTMLElement>(): readonly [RefObject<Element | null>, number] {
  const reference = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = reference.current;
    if (element === null) return undefined;
    const measure = (): void => setWidth(Math.floor(element.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [reference, width];
}
