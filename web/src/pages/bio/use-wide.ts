import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 1000px)");

const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** Whether editor and preview stand side by side; the same width as in the styles. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
