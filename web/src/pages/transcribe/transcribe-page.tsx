import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../api/call.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notices } from "../../components/notices.tsx";
import { PageHeader } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";
import { BatchList } from "./batches/batch-list.tsx";
import { type Jobs, isFinished } from "./create-jobs.ts";
import { FileList } from "./files/file-list.tsx";
import { JobCard } from "./job-card.tsx";
import { PasteForm } from "./paste-form.tsx";
import { useTranscribeJobs } from "./transcribe-jobs.ts";

const route = getRouteApi("/shell/transcribe");

export function TranscribePage() {
  const { url, urls, id, report } = route.useSearch();
  const given = [url, urls?.split(/\s+/).join("\n")].filter(Boolean).join("\n");
  const [begun, setBegun] = useState(given);
  // The given text stays after it is removed from the address.
  if (given !== "" && given !== begun) setBegun(given);
  const navigate = route.useNavigate();
  const jobs = useTranscribeJobs();

  useEffect(() => {
    if (jobs === undefined || id === undefined) return;
    // If a link names a transcription that was started elsewhere, it is followed here like one of the page's own.
    void call("getTranscription", { id })
      .then(({ reelUrl }) => jobs.add([{ url: reelUrl, transcriptionId: id }]))
      .catch(() => showToast("We couldn’t find that transcription.", { failed: true }))
      .finally(() => void navigate({ search: { url, urls, report }, replace: true }));
  }, [jobs, id, url, urls, report, navigate]);

  return (
    <>
      <PageHeader title="Transcribe" sub="Paste reel links, or drop files of your own." />
      <PasteForm
        key={begun}
        given={begun}
        onAdded={() => {
          // A reload would submit the same links again.
          if (given !== "") void navigate({ search: { id, report }, replace: true });
        }}
      />
      <FileList />
      {jobs && <JobList jobs={jobs} report={report} />}
      {/* Below the words, which would move when it arrives. */}
      <Notices />
      <BatchList />
    </>
  );
}

function JobList({ jobs, report }: { readonly jobs: Jobs; readonly report: string | undefined }) {
  const visibleJobs = jobs.useJobs();
  if (visibleJobs.length === 0) return undefined;
  return (
    <section aria-label="Your reels">
      <div className="row jobs-heading">
        <h2>Your reels</h2>
        {visibleJobs.some(isFinished) && (
          <span className="row at-end">
            {report !== undefined && (
              <LinkButton to="/reports/$reportId" params={{ reportId: report }} hash="report-hooks" size="small">
                Compare first sentences
              </LinkButton>
            )}
            <Button kind="ghost" size="small" onClick={jobs.clearFinished}>
              Clear finished
            </Button>
          </span>
        )}
      </div>
      {visibleJobs.map((job) => (
        <JobCard key={job.number} job={job} jobs={jobs} />
      ))}
    </section>
  );
}
