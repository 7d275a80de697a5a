import { Link } from "@tanstack/react-router";
import type { CompetitorReport } from "@reelscript/contract";
import { useOperation } from "../../api/use-operation.ts";
import { counted, exactNumber, shortNumber } from "../../format/number.ts";

/** How the top reels begin, of those whose script is in the library. */
export function ReportHooks({ report: { id, topReels } }: { readonly report: CompetitorReport }) {
  const { data } = useOperation("listReportHooks", { id });
  if (data === undefined || data.hooks.length === 0) return undefined;
  const missing = topReels.length - data.inLibrary;
  return (
    <section aria-labelledby="report-hooks">
      <h2 id="report-hooks" className="section-title">
        How they begin
      </h2>
      <ol className="hooks">
        {data.hooks.map(({ url, scriptId, language, text }) => {
          const views = topReels.find((reel) => reel.url === url)?.views;
          return (
            <li key={url}>
              <Link to="/scripts/$scriptId" params={{ scriptId }} lang={language} dir="auto">
                {text}
              </Link>
              {views !== undefined && (
                <span className="meta" title={`${exactNumber(views)} views`}>
                  {shortNumber(views)} views
                </span>
              )}
            </li>
          );
        })}
      </ol>
      {missing > 0 && (
        <p className="meta">
          {counted(missing, "top reel isn’t", "top reels aren’t")} in your library. Transcribe{" "}
          {missing === 1 ? "it" : "them"} to see more.
        </p>
      )}
    </section>
  );
}
