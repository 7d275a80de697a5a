import { PageHeader } from "../../../components/page-header.tsx";

const widths = ["50%", "86%", "74%", "60%", "90%", "40%", "70%", "82%"];

/** The places that a script's parts will have. */
export function ScriptSkeleton() {
  return (
    <>
      <PageHeader
        title="Script"
        crumb={{ to: "/library", label: "Library" }}
        shown={
          <>
            <span className="visually-hidden">Script</span>
            <span className="skeleton-bar title" aria-hidden="true" />
          </>
        }
      />
      <div className="script" role="status" aria-label="Loading the script">
        <div className="left" aria-hidden="true">
          <span className="skeleton-bar card" />
        </div>
        <div className="stack" aria-hidden="true">
          {widths.map((width, index) => (
            <span key={index} className="skeleton-bar" style={{ width }} />
          ))}
        </div>
      </div>
    </>
  );
}
