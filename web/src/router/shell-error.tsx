import type { ErrorComponentProps } from "@tanstack/react-router";
import { Brand } from "../shell/brand.tsx";
import { PageError } from "./page-error.tsx";

/** Where what stands around the pages broke itself. */
export function ShellError(props: ErrorComponentProps) {
  return (
    <div className="alone">
      <Brand />
      <main id="main">
        <PageError {...props} />
      </main>
    </div>
  );
}
