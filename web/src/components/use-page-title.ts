import { useEffect } from "react";

/** "Library · Reelscript" */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Reelscript`;
  }, [title]);
}
