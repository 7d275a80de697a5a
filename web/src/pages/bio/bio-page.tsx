import { useOperation } from "../../api/use-operation.ts";
import { ErrorNote, PageHeader } from "../../components/page.tsx";
import { BioEditor } from "./bio-editor.tsx";

export function BioPage() {
  const page = useOperation("getMyBioPage", {}, { refetchInterval: 30_000 });
  const session = useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY });
  if (page.data !== undefined && session.data !== undefined) {
    const { id } = session.data.account;
    return <BioEditor key={id} page={page.data} accountId={id} />;
  }
  const error = page.error ?? session.error;
  const retry = (): void => {
    void page.refetch();
    void session.refetch();
  };
  return (
    <>
      <PageHeader title="Bio page" sub="One page for all your links." />
      {error ? (
        <ErrorNote error={error} onRetry={retry}>
          The page itself is unchanged.
        </ErrorNote>
      ) : (
        <BioSkeleton />
      )}
    </>
  );
}

function BioSkeleton() {
  return (
    <div className="bio" role="status" aria-label="Loading the bio page">
      <div className="stack parts" aria-hidden="true">
        <div className="tabs waiting" />
        <div className="links waiting">
          {Array.from({ length: 5 }, (_, index) => (
            <i key={index} />
          ))}
        </div>
      </div>
      <div className="stack tight preview" aria-hidden="true">
        <p className="meta">Live preview</p>
        <div className="phone" />
      </div>
    </div>
  );
}
