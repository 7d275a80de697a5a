import { useState } from "react";
import { isTyping, useWindowEvent } from "../../components/use-key.ts";

export type Overlay = "palette" | "shortcuts" | undefined;

const isApple = /mac|iphone|ipad/i.test(navigator.platform);
export const paletteKeys = [isApple ? "⌘" : "Ctrl", "K"] as const;

export function usePalette(): readonly [overlay: Overlay, show: (overlay: Overlay) => void] {
  const [overlay, show] = useState<Overlay>();
  useWindowEvent("keydown", (event) => {
    // Doesn't open over a dialog that waits for a response.
    const isDialogOpen = document.querySelector("dialog[open]") !== null;
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key.toLowerCase() === "k" && isCommand && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      if (!isDialogOpen) show("palette");
    } else if (event.key === "?" && !isCommand && !isDialogOpen && !isTyping(event.target)) show("shortcuts");
  });
  return [overlay, show];
}
