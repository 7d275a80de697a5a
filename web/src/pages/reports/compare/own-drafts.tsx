import { Link } from "@tanstack/react-router";
import { filePlatform } from "@reelscript/contract/values";
import { useOperation } from "../../../api/use-operation.ts";
import { Chip } from "../../../components/inline.tsx";
import { NamedRows, ScrolledTable } from "../../../components/scrolled-table.tsx";
import { exactNumber } from "../../../format.ts";

const shownDrafts = 5;

/** The person's own files, which aren't posted, so that only their words can be compared. */
export function OwnDrafts() {
  const drafts = useOperation("searchMyScripts", { platform: filePlatform, limit: shownDrafts }).data?.scripts ?? [];
  if (drafts.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="drafts">
      <h2 id="drafts">
        Your drafts <Chip kind="outline">Yours</Chip>
      </h2>
      <p className="hint">
        Files that you sent. They have no views yet, so only how they begin and how fast you speak.
      </p>
      <ScrolledTable className="side-by-side" headingId="drafts">
        <NamedRows
          columns={["Draft", { name: "Begins with" }, { name: "Words a minute" }]}
          rows={drafts.map(({ id, caption = "Untitled", hook, language, analysis }) => [
            <Link key={id} to="/scripts/$scriptId" params={{ scriptId: id }}>
              <bdi>{caption}</bdi>
            </Link>,
            hook === undefined ? (
              <span key="hook" className="meta">
                Nothing is said
              </span>
            ) : (
              <span key="hook" lang={language} dir="auto">
                {hook}
              </span>
            ),
            analysis?.wordsPerMinute === undefined ? (
              <span key="pace" className="meta">
                Not available
              </span>
            ) : (
              exactNumber(analysis.wordsPerMinute)
            ),
          ])}
        />
      </ScrolledTable>
    </section>
  );
}
