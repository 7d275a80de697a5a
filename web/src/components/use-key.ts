import { useEffect, useEffectEvent } from "react";
import { isTyping } from "./is-typing.ts";

/** Acts on a key, alone, wherever it is pressed on the page but where it `isOwned` by what has the focus. */
export function useKey(
  key: string,
  act: () => void,
  isOwned: (target: EventTarget | null) => boolean = isTyping,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isOwned(event.target)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
