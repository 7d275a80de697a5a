import { useCallback, useSyncExternalStore } from "react";

/** Whether the window fits a media query, now and whenever that changes; the query is one of those in the styles. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void): (() => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
