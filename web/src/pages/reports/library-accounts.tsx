import { Link } from "@tanstack/react-router";
import { useOperation } from "../../api/use-operation.ts";
import { Handle } from "../../components/inline.tsx";
import { counted } from "../../format.ts";

/** Fewer scripts than this say nothing of an account. */
const fewestScripts = 5;
const mostAccounts = 6;

interface LibraryAccount {
  /** Without @. */
  readonly handle: string;
  readonly scripts: number;
}

/** Accounts of which the library has scripts enough to draw a report. */
export const useLibraryAccounts = (): readonly LibraryAccount[] =>
  (useOperation("listScriptAccounts", {}).data?.accounts ?? [])
    .filter(({ scripts }) => scripts >= fewestScripts)
    .map(({ handle, scripts }) => ({ handle: handle.replace(/^@/, ""), scripts }));

/** The accounts of the library of which there is no other report. */
export function LibraryAccounts({ accounts }: { readonly accounts: readonly LibraryAccount[] }) {
  if (accounts.length === 0) return undefined;
  return (
    <section className="stack tight library-accounts" aria-labelledby="from-library">
      <div>
        <h2 id="from-library">From your transcripts</h2>
        <p className="meta">Drawn from the reels in your library. They need no extension and cost nothing.</p>
      </div>
      <ul className="row wrap">
        {accounts.slice(0, mostAccounts).map(({ handle, scripts }) => (
          <li key={handle}>
            <Link className="button quiet" to="/reports/library/$handle" params={{ handle }}>
              <span>
                <span className="visually-hidden">Draw a report of </span>
                <Handle name={handle} />
              </span>
              <span className="meta">{counted(scripts, "reel", "reels")}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
