import { Link } from "@tanstack/react-router";
import { useLayoutEffect, useRef, type ReactNode, useEffect } from "react";
import { Icon } from "./icon.tsx";

interface Props {
  readonly title: string;
  readonly shown?: ReactNode;
  readonly sub?: ReactNode;
  readonly picture?: ReactNode;
  readonly crumb?: { readonly to: string; readonly label: string; readonly here?: ReactNode };
  readonly children?: ReactNode;
  readonly lang?: string | undefined;
}

/** Whether the title that left the page last had the focus. */
let titleWasFocused = false;

export function PageHeader({ title, shown, sub, picture, crumb, children, lang }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useLayoutEffect(() => {
    const element = heading.current;
    // What was awaited brings a header of its own; who reads with the ears continues in it.
    if (titleWasFocused && document.activeElement === document.body) element?.focus({ preventScroll: true });
    titleWasFocused = false;
    return () => {
      titleWasFocused = document.activeElement === element;
    };
  }, []);
  return (
    <div>
      {crumb && (
        <p className="breadcrumb">
          <Link to={crumb.to}>{crumb.label}</Link>
          {crumb.here && (
            <>
              <Icon name="forward" small />
              <span>{crumb.here}</span>
            </>
          )}
        </p>
      )}
      <div className="page-heading">
        <div className={picture ? "row pictured" : undefined}>
          {picture}
          <div>
            <h1 ref={heading} tabIndex={-1} lang={lang} dir={lang && "auto"}>
              {shown ?? title}
            </h1>
            {sub && <p className="subtitle">{sub}</p>}
          </div>
        </div>
        {children && <div className="row wrap at-end">{children}</div>}
      </div>
    </div>
  );
}

/** "Library · Reelscript" */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Reelscript`;
  }, [title]);
}
