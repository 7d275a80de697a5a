import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface Props {
  readonly kind?: "plain" | "ok" | "warn" | "bad" | "outline";
  readonly children: ReactNode;
}

/** A state, never an action. */
export function Chip({ kind = "plain", children }: Props) {
  return <span className={classNames("chip", kind !== "plain" && kind)}>{children}</span>;
}
