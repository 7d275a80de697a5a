import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call } from "../../api/call.ts";
import { Button, LinkButton } from "../../components/button.tsx";
import { Notices } from "../../components/notices.tsx";
import { PageHeader } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";
import { type Queue, isFinished } from "./create-queue.ts";
import { JobCard } from "./job-card.tsx";
import { PasteForm } from "./paste-form.tsx";
import { useTranscribeQueue } from "./transcribe-queue.ts";

const route = getRouteApi("/shell/transcribe");

export function TranscribePage() {
  const { url, urls, id, report } = route.useSearch();
  const given = [url, urls?.split(/\s+/).join("\n")].filter(Boolean).join("\n");
  const [begun, setBegun] = useState(given);
  // The given text stays after it leaves the address.
  if (given !== "" && given !== begun) setBegun(given);
  const navigate = route.useNavigate();
  const queue = useTranscribeQueue();

  useEffect(() => {
    if (queue === undefined || id === undefined) return;
    // A link to a transcription that was begun elsewhere is followed here like one of the page's own.
    void call("getTranscription", { id })
      .then(({ reelUrl }) => queue.add([{ url: reelUrl, transcriptionId: id }]))
      .catch(() => showToast("We couldn’t find that transcription.", { failed: true }))
      .finally(() => void navigate({ search: { url, urls, report }, replace: true }));
  }, [queue, id, url, urls, report, navigate]);

  return (
    <>
      <PageHeader title="Transcribe" sub="Paste one link or many. A reel someone has already transcribed is free." />
      <PasteForm
        key={begun}
        given={begun}
        onAdded={() => {
          // A reload would hand the same links over again.
          if (given !== "") void navigate({ search: { id, report }, replace: true });
        }}
      />
      <Notices />
      {queue && <Jobs queue={queue} report={report} />}
    </>
  );
}

function Jobs({ queue, report }: { readonly queue: Queue; readonly report: string | undefined }) {
  const jobs = queue.useJobs();
  if (jobs.length === 0) return undefined;
  return (
    <section aria-label="Your reels">
      <div className="row jobs-heading">
        <h2>Your reels</h2>
        {jobs.some(isFinished) && (
          <span className="row at-end">
            {report !== undefined && (
              <LinkButton to="/reports/$reportId" params={{ reportId: report }} hash="report-hooks" size="small">
                Compare first sentences
              </LinkButton>
            )}
            <Button kind="ghost" size="small" onClick={queue.clearFinished}>
              Clear finished
            </Button>
          </span>
        )}
      </div>
      {jobs.map((job) => (
        <JobCard key={job.number} job={job} queue={queue} />
      ))}
    </section>
  );
}
