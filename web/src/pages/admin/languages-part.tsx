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
  return (
    <section className="stack tight" aria-label="Languages">
      <p className="subtitle">
        Of the running model, {data.model}. Below 20 recordings a language counts as unmeasured.
      </p>
      <ScrolledTable className="languages" label="Languages">
        <NamedRows
          columns={columns}
          rows={data.languages.map(({ name, meaning, wordErrorPercent, recordings }) => [
            name,
            meaning,
            wordErrorPercent === undefined ? "–" : percent(wordErrorPercent),
            recordings === undefined ? "–" : exactNumber(recordings),
          ])}
        />
      </ScrolledTable>
    </section>
  );
}
