import { useOperation } from "../../api/use-operation.ts";
import { ErrorNote, PendingLines } from "../../components/page.tsx";
import { NamedRows, ScrolledTable } from "../../components/scrolled-table.tsx";
import { exactNumber, percent } from "../../format.ts";

const columns = ["Language", "Quality", { figures: "Wrong words" }, { figures: "Recordings" }] as const;

/** How well the running model reads each language, as far as it was measured. */
export function LanguagesPart() {
  const { data, error, refetch } = useOperation("getProductOverview", {});
  if (data === undefined)
    return error ? (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    ) : (
      <PendingLines count={6} label="Loading the languages" />
    );
  const measuredLanguages = data.languages.filter(({ recordings }) => recordings !== undefined);
  const others = data.languages.filter(({ recordings }) => recordings === undefined).map(({ name }) => name);
  return (
    <section className="stack tight" aria-label="Languages">
      <p className="subtitle">
        How well the running model, {data.model}, reads each language. Below 20 recordings a language counts as
        unmeasured.
      </p>
      {measuredLanguages.length > 0 && (
        <ScrolledTable className="languages" label="Languages">
          <NamedRows
            columns={columns}
            rows={measuredLanguages.map(({ name, meaning, wordErrorPercent, recordings }) => [
              name,
              <span key={name} className="sentence">
                {meaning}
              </span>,
              wordErrorPercent === undefined ? "–" : percent(wordErrorPercent),
              recordings === undefined ? "–" : exactNumber(recordings),
            ])}
          />
        </ScrolledTable>
      )}
      {others.length > 0 && (
        <p>
          <b className="semibold">Not measured:</b> {new Intl.ListFormat("en-US").format(others)}. Measure one with your
          own clips: <code>reelscript model test --language es --clips FOLDER</code>
        </p>
      )}
    </section>
  );
}
