import { useId, useRef, type ReactNode, type RefObject, type ToggleEvent } from "react";
import { Button } from "./button.tsx";
import type { ButtonKind } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface Props {
  readonly label: string;
  readonly icon: IconName;
  /** Shows only the icon; screen readers read the label. */
  readonly iconOnly?: boolean;
  readonly kind?: ButtonKind;
  readonly className: string;
  /** Receives a function that closes it. */
  readonly children: (close: () => void) => ReactNode;
}

const gap = 6;
const margin = 8;

/** A button and a panel that opens below it, or above it if there is no room. A press outside and Escape close it. */
export function Popover({ label, icon, iconOnly = false, kind, className, children }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <Button
        ref={button}
        kind={kind}
        size={iconOnly ? "small" : undefined}
        icon={icon}
        iconOnly={iconOnly}
        popoverTarget={id}
      >
        {label}
      </Button>
      <div id={id} ref={panel} popover="auto" className={className} onToggle={(event) => place(event, button, panel)}>
        {children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  );
}

function place(
  { newState }: ToggleEvent,
  { current: button }: RefObject<HTMLElement | null>,
  { current: panel }: RefObject<HTMLElement | null>,
): void {
  if (newState !== "open" || !button || !panel) return;
  const { left, top, bottom } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isBelow = bottom + height + gap < innerHeight;
  panel.style.left = `${Math.max(margin, Math.min(left, innerWidth - width - margin))}px`;
  panel.style.top = `${isBelow ? bottom + gap : Math.max(margin, top - height - gap)}px`;
}
