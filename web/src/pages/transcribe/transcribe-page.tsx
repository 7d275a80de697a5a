import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";

export function TranscribePage() {
  return (
    <>
      <PageHeader title="Transcribe" sub="Paste the link of a reel. Its words land here in about half a minute." />
      <EmptyState title="Nothing here yet" />
    </>
  );
}
