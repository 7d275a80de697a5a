import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { showToast } from "../../components/toast/toast.ts";

interface Props {
  readonly report: { readonly id: string; readonly handle: string };
  readonly open: boolean;
  readonly onClose: () => void;
}

export function DeleteReportDialog({ report: { id, handle }, open, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useChange("deleteReport", {
    stale: ["listCompetitorReports", "listReportFigures"],
    onDone: async () => {
      await navigate({ to: "/reports", replace: true });
      // The account's newest report is another one now, too.
      client.removeQueries({ queryKey: ["getCompetitorReport"] });
      showToast(`The report of @\u2068${handle}\u2069 is deleted`);
    },
  });
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const submit = (): void => remove.mutate({ id });
  return (
    <Dialog open={open} onClose={close} insistent={remove.isPending} title="Delete this report?">
      <p className="subtitle">It can’t be restored. The posts it used stay used.</p>
      <ErrorNote error={remove.error} onRetry={submit} />
      <DialogButtons>
        <Button kind="quiet" onClick={close}>
          Keep it
        </Button>
        <Button kind="danger" busy={remove.isPending ? "Deleting…" : undefined} onClick={submit}>
          Delete report
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
