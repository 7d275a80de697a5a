import { cutVisible, longestReportTitle } from "@reelscript/contract/values";
import { useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "../../components/button.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";

interface Props {
  /** The heading of the printed report, and the name of the file that a browser saves. */
  readonly title: string;
  readonly onTitle: (title: string) => void;
}

/** Asks for the title of the printed report, and then opens the browser's print dialog, which can also save a PDF. */
export function PrintReport({ title, onTitle }: Props) {
  const [isOpen, setOpen] = useState(false);
  const print = (): void => {
    // An open dialog would be printed, too.
    flushSync(() => setOpen(false));
    const before = document.title;
    if (title !== "") document.title = title;
    window.print();
    document.title = before;
  };
  return (
    <>
      <Button icon="page" onClick={() => setOpen(true)}>
        Print
      </Button>
      {isOpen && (
        <ChangeDialog
          title="Print or save as PDF"
          about="Your browser’s next window also saves the report as a PDF."
          change={{ isPending: false, error: null }}
          action="Print"
          onClose={() => setOpen(false)}
          onSubmit={print}
        >
          <Input
            label="Title"
            hint="Stands over the report, for example the name of your agency and of its client."
            value={title}
            onChange={({ target }) => onTitle(cutVisible(target.value, longestReportTitle))}
          />
        </ChangeDialog>
      )}
    </>
  );
}
