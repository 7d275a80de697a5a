import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";

interface Props {
  readonly kind?: "plain" | "warn" | "bad";
  readonly icon?: IconName;
  readonly children: ReactNode;
  /** Read out as soon as it appears. */
  readonly live?: boolean;
}

/** Something to know, in the place that it is about. */
export function Note({ kind = "plain", icon, children, live = false }: Props) {
  return (
    <div
      className={classNames("note", kind !== "plain" && kind)}
      role={live ? (kind === "bad" ? "alert" : "status") : undefined}
    >
      {icon && <Icon name={icon} small />}
      <div className="said-so">{children}</div>
    </div>
  );
}
