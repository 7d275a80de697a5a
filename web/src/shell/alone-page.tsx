import type { ReactNode } from "react";
import { usePageTitle } from "../components/page.tsx";
import { Brand } from "./brand.tsx";

interface Props {
  readonly title: string;
  /** Of the window, where it isn't that of the page. */
  readonly windowTitle?: string;
  readonly children: ReactNode;
}

export function AlonePage({ title, windowTitle = title, children }: Props) {
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
