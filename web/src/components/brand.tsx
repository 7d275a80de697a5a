import { mark } from "@reelscript/contract/values";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePageTitle } from "./page.tsx";

/** Links to the home page, unless there is none yet. */
export function Brand({ leads = true }: { readonly leads?: boolean }) {
  const brand = (
    <>
      <svg className="logo" width="26" height="26" viewBox={mark.viewBox} aria-hidden="true">
        <path className="logo-frame" d={mark.frame} />
        <path className="logo-lines" d={mark.lines} />
      </svg>
      Reelscript
    </>
  );
  if (!leads) return <p className="brand row">{brand}</p>;
  return (
    <Link className="brand row" to="/library">
      {brand}
    </Link>
  );
}

interface PageProps {
  readonly title: string;
  /** The window's title, if it isn't the page's title. */
  readonly windowTitle?: string;
  readonly children: ReactNode;
}

export function AlonePage({ title, windowTitle = title, children }: PageProps) {
  usePageTitle(windowTitle);
  return (
    <div className="alone connect">
      <header>
        <Brand />
      </header>
      <main id="main">
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
    </div>
  );
}
