import { useState, type ReactNode } from "react";
import type { ButtonKind } from "../../components/button.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";

interface Props {
  readonly title: string;
  readonly about: ReactNode;
  readonly action: string;
  readonly busy: string;
  readonly kind?: ButtonKind;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onDecide: (reason: string) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

const longestReason = 500;

/** Asks an operator why, which the audit keeps. */
export function DecisionDialog({
  title,
  about,
  action,
  busy,
  kind = "ink",
  change,
  onDecide,
  onClose,
  children,
}: Props) {
  const [reason, setReason] = useState("");
  const [isMissing, setMissing] = useState(false);
  const submit = (): void => {
    const given = reason.trim();
    setMissing(given === "");
    if (given !== "" && !change.isPending) onDecide(given);
  };
  return (
    <ChangeDialog
      onClose={onClose}
      title={title}
      about={about}
      change={change}
      onSubmit={submit}
      action={action}
      busy={busy}
      kind={kind}
      noValidate
    >
      {children}
      <Input
        label="Reason"
        hint="One line, kept in the audit."
        error={isMissing && reason.trim() === "" ? "Say why." : undefined}
        maxLength={longestReason}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ChangeDialog>
  );
}
