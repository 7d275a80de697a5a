import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { buttonClass, type ButtonKind, type ButtonSize } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface Props extends Omit<ComponentProps<"a">, "className"> {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly icon?: IconName;
  /** Behind the words. */
  readonly endIcon?: IconName;
}

/** Looks like a button and leads out of the dashboard, or to a file. */
export function AnchorButton({ kind, size, icon, endIcon, children, ...rest }: Props) {
  return (
    <a {...rest} className={buttonClass(kind, size)}>
      {icon && <Icon name={icon} small />}
      {children}
      {endIcon && <Icon name={endIcon} small />}
    </a>
  );
}

/** Looks like a button and leads to a page of the dashboard: `to`, `params`, `search` as of a `Link`. */
export const LinkButton = createLink(AnchorButton);
