import { useEffectEvent, useLayoutEffect } from "react";

/** Listens to the window before the page is visible: as soon as people see it they may press a key. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  act: (event: WindowEventMap[Type]) => void,
): void {
  const hear = useEffectEvent(act);
  useLayoutEffect(() => {
    const listener = (event: WindowEventMap[Type]): void => hear(event);
    addEventListener(type, listener);
    return () => removeEventListener(type, listener);
  }, [type]);
}

/** Handles a key without modifiers anywhere on the page, except where `isOwned` says that the focused element handles it. */
export function useKey(
  key: string,
  act: () => void,
  isOwned: (target: EventTarget | null) => boolean = isTyping,
): void {
  useWindowEvent("keydown", (event) => {
    if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isOwned(event.target)) return;
    event.preventDefault();
    act();
  });
}

/** True if a field or a dialog gets the key, so that it isn't a shortcut of the page. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest("dialog") !== null);
