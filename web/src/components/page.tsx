import { useEffect, useState, type ReactNode, useLayoutEffect, useRef } from "react";
import { Button, LinkButton, type ButtonKind } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { CallError } from "@reelscript/client/core";
import { typographic } from "@reelscript/contract/values";
import { createStore } from "../api/create-store.ts";
import { duration } from "../format.ts";
import { Link } from "@tanstack/react-router";

interface NoteProps {
  readonly kind?: "warn" | "bad";
  readonly icon?: IconName;
  readonly children: ReactNode;
  /** Buttons at the end of the header. */
  readonly actions?: ReactNode;
  readonly live?: boolean;
}

export function Note({ kind, icon, children, actions, live = false }: NoteProps) {
  return (
    <div
      className={classNames("note", kind, actions !== undefined && "asks")}
      role={live ? (kind === "bad" ? "alert" : "status") : undefined}
    >
      {icon && <Icon name={icon} small />}
      <div className="said-so">{children}</div>
      {actions && <div className="row wrap">{actions}</div>}
    </div>
  );
}

interface ErrorNoteProps {
  readonly error: Error | null | undefined;
  readonly onRetry?: (() => void) | undefined;
  readonly children?: string | undefined;
}

/** Shows an error inline, and when to retry. Renders nothing without an error. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  const callError = error instanceof CallError ? error : undefined;
  const wait = useSecondsLeft(callError);
  if (!error) return undefined;
  const mayRetry = onRetry !== undefined && (!callError || callError.retryable);
  const passes = callError?.code === "inProgress" || callError?.code === "rateLimited";
  return (
    <Note kind={passes ? "warn" : "bad"} icon={passes ? "clock" : "warn"} live>
      {callError ? typographic(callError.message) : "Something went wrong on this page."} {children}{" "}
      {callError?.code === "internalError" && callError.requestId !== undefined && (
        <>
          Request id: <code className="breaks-anywhere">{callError.requestId}</code>{" "}
        </>
      )}
      {mayRetry &&
        (wait > 0 ? (
          // Screen readers don't announce every second.
          <span aria-live="off">Try again in {duration(wait)}.</span>
        ) : (
          <button type="button" className="link" onClick={onRetry}>
            Try now
          </button>
        ))}
    </Note>
  );
}

function useSecondsLeft(error: CallError | undefined): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const until = Date.now() + (error?.retryAfter ?? 0) * 1_000;
    const count = (): void => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    count();
    if (error?.retryAfter === undefined) return undefined;
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

interface EmptyStateProps {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** One button, or the label of one that links to `to` or calls `onAction`. */
  readonly action?: ReactNode;
  readonly kind?: ButtonKind;
  readonly to?: string;
  readonly onAction?: () => void;
}

export function EmptyState({ title, children, action, kind, to, onAction }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {to !== undefined ? (
        <LinkButton kind={kind} to={to}>
          {action}
        </LinkButton>
      ) : onAction ? (
        <Button kind={kind} onClick={onAction}>
          {action}
        </Button>
      ) : (
        action
      )}
    </div>
  );
}

export function SkeletonRows({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton" aria-hidden="true">
          <i />
          <div className="stack tight">
            <i style={{ width: "86%" }} />
            <i style={{ width: "60%" }} />
            <i style={{ width: "22%" }} />
          </div>
        </div>
      ))}
    </div>
  );
}

interface PendingLinesProps {
  readonly label: string;
  readonly count: number;
  readonly low?: boolean;
}

export function PendingLines({ label, count, low = false }: PendingLinesProps) {
  return (
    <div className={classNames("pending-lines", low && "one-line-each")} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} aria-hidden="true">
          <i />
          {!low && <i />}
        </div>
      ))}
    </div>
  );
}

interface PendingPartsProps {
  readonly label: string;
  /** The parts that are loading, from top to bottom; each gets a placeholder of its height. */
  readonly parts: readonly ("figures" | "chart" | "guide")[];
  readonly className?: string;
}

export function PendingParts({ label, parts, className }: PendingPartsProps) {
  return (
    <div className={classNames("pending-parts", className)} role="status" aria-label={label}>
      {parts.map((part, index) => (
        <i key={index} className={`of-${part}`} />
      ))}
    </div>
  );
}

interface HeaderProps {
  readonly title: string;
  readonly titleContent?: ReactNode;
  readonly sub?: ReactNode;
  readonly picture?: ReactNode;
  readonly crumb?: { readonly to: string; readonly label: string; readonly here?: ReactNode };
  readonly children?: ReactNode;
  readonly lang?: string | undefined;
}

/** True if the last title that left the page had the focus. */
let titleWasFocused = false;

export function PageHeader({ title, titleContent, sub, picture, crumb, children, lang }: HeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useLayoutEffect(() => {
    const element = heading.current;
    // The loaded page brings its own header; screen reader users continue there.
    if (titleWasFocused && document.activeElement === document.body) element?.focus({ preventScroll: true });
    titleWasFocused = false;
    return () => {
      titleWasFocused = document.activeElement === element;
    };
  }, []);
  return (
    <div>
      {crumb && (
        <p className="breadcrumb meta row">
          <Link to={crumb.to}>{crumb.label}</Link>
          {crumb.here && (
            <>
              <Icon name="forward" small />
              <span>{crumb.here}</span>
            </>
          )}
        </p>
      )}
      <div className="page-heading row wrap">
        <div className={picture ? "row pictured" : undefined}>
          {picture}
          <div>
            <h1 ref={heading} tabIndex={-1} lang={lang} dir={lang && "auto"}>
              {titleContent ?? title}
            </h1>
            {sub && <p className="subtitle">{sub}</p>}
          </div>
        </div>
        {children && <div className="row wrap at-end">{children}</div>}
      </div>
    </div>
  );
}

/** Open batches together: the number of reels left and the finished share from 0 to 1; `undefined` while there are none. */
export const batchProgress = createStore<{ readonly left: number; readonly share: number } | undefined>(undefined);

/** "Library · Reelscript", and while a batch is running "40% · Library · Reelscript" */
export function usePageTitle(title: string): void {
  const share = batchProgress.useValue()?.share;
  useEffect(() => {
    document.title = `${share === undefined ? "" : `${Math.floor(share * 100)}% · `}${title} · Reelscript`;
  }, [title, share]);
}

/** A name, of figures at the end of their column, or read out only. */
export type Column = string | ColumnContent;
interface ColumnContent {
  readonly name?: ReactNode;
  readonly figures?: ReactNode;
  readonly hidden?: string;
  readonly sorted?: "ascending" | "descending" | undefined;
}

export const TableHead = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map((column, index) => {
        const { name, figures, hidden, sorted }: ColumnContent = typeof column === "string" ? { name: column } : column;
        const content = name ?? figures ?? hidden;
        return (
          <th key={index} scope="col" className={figures ? "number" : undefined} aria-sort={sorted}>
            {hidden ? <span className="visually-hidden">{hidden}</span> : content}
          </th>
        );
      })}
    </tr>
  </thead>
);
