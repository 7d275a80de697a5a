import type { ReactNode } from "react";

interface Props {
  readonly title: ReactNode;
  /** One sentence. */
  readonly children?: ReactNode;
  /** One button. */
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: Props) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
