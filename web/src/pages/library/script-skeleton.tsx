import { PageHeader } from "../../components/page-header.tsx";

const widths = ["w-1/2", "w-[86%]", "w-[74%]", "w-3/5", "w-[90%]", "w-2/5", "w-[70%]", "w-[82%]"];

/** The places that a script's parts will have. */
export function ScriptSkeleton() {
  return (
    <>
      <PageHeader
        title="Script"
        crumb={{ to: "/library", label: "Library" }}
        shown={
          <>
            <span className="vh">Script</span>
            <span className="skel-bar title" aria-hidden="true" />
          </>
        }
      />
      <div className="script" role="status" aria-label="Loading the script">
        <div className="left" aria-hidden="true">
          <span className="skel-bar card" />
        </div>
        <div className="stack" aria-hidden="true">
          {widths.map((width, index) => (
            <span key={index} className={`skel-bar ${width}`} />
          ))}
        </div>
      </div>
    </>
  );
}
