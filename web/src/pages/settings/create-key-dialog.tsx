import { useState } from "react";
import { useChange } from "../../api/use-operation.ts";
import { useKeptForm } from "../../api/kept-drafts.ts";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Note } from "../../components/page.tsx";
import type { Output } from "@reelscript/client/core";
import { counted } from "../../format.ts";
import { Choice, Input, optionsOf, Select } from "../../components/field.tsx";
import { CodeBlock, firstCurl, mcpCommand, SecretDialog } from "./secret-dialog.tsx";

interface Props {
  readonly onClose: () => void;
  /** The expired key that the new one replaces, with its usage if keys have quotas. */
  readonly replaced: { readonly name: string; readonly used: number } | undefined;
}

export function CreateKeyDialog({ onClose, replaced }: Props) {
  const [form, setForm] = useKeptForm("key", emptyKey);
  const [checked, setChecked] = useState(false);
  const create = useChange("createKey", { stale: ["listKeys"], onDone: () => setForm(emptyKey) });
  const close = (): void => {
    setForm(emptyKey);
    onClose();
  };
  const submit = (): void => {
    setChecked(true);
    if (Object.keys(problemsOf(form)).length > 0 || create.isPending) return;
    create.mutate({ name: form.name.trim(), expiresAt: endOf(form), readOnly: form.readOnly });
  };
  if (create.data !== undefined) return <NewKeyDialog createdKey={create.data} onClose={close} />;
  return (
    <ChangeDialog
      onClose={close}
      title="New key"
      change={create}
      onSubmit={submit}
      action="Create key"
      busy="Creating…"
    >
      <NewKeyFields
        value={form}
        problems={checked ? problemsOf(form) : {}}
        onChange={(change) => setForm({ ...form, ...change })}
      />
      {replaced && (
        <Note kind="warn" icon="warn">
          <p>
            “<bdi>{replaced.name}</bdi>” has expired. It will be removed, and the new key takes its place.
            {replaced.used > 0 &&
              ` The ${counted(replaced.used, "transcription", "transcriptions")} it used still count.`}
          </p>
        </Note>
      )}
    </ChangeDialog>
  );
}

interface NewKey {
  readonly name: string;
  readonly lifetime: Lifetime;
  /** Value of the date field; used if the lifetime is a date. */
  readonly date: string;
  readonly readOnly: boolean;
}

const emptyKey: NewKey = { name: "", lifetime: "never", date: "", readOnly: false };

/** Error messages by field name. */
interface KeyProblems {
  readonly name?: string;
  readonly date?: string;
}

const problemsOf = ({ name, lifetime, date }: NewKey): KeyProblems => ({
  ...(name.trim() === "" && { name: "Give the key a name." }),
  ...(lifetime === "date" && date < today() && { date: "Choose today or a later day." }),
});

const lifetimes = [
  { value: "never", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "On a date…" },
] as const;
type Lifetime = (typeof lifetimes)[number]["value"];

const day = 86_400_000;

/** When a key created now expires: at the end of the chosen day; undefined if it never does. */
function endOf({ lifetime, date }: NewKey): string | undefined {
  if (lifetime === "never") return undefined;
  const end = lifetime === "date" ? new Date(`${date}T23:59:59.999`) : new Date(Date.now() + Number(lifetime) * day);
  return end.toISOString();
}

/** `2026-12-01`, the format of date fields and of Swedish dates. */
const today = (): string => new Date().toLocaleDateString("sv");

interface FieldsProps {
  readonly value: NewKey;
  readonly problems: KeyProblems;
  readonly onChange: (change: Partial<NewKey>) => void;
}

function NewKeyFields({ value: { name, lifetime, date, readOnly }, problems, onChange }: FieldsProps) {
  return (
    <>
      <Input
        label="Name"
        hint="So you can tell your keys apart, for example by where you use it."
        error={problems.name}
        placeholder="Notebook"
        maxLength={60}
        autoComplete="off"
        value={name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <div className="stack tight">
        <Choice
          legend="Access"
          value={readOnly ? "read" : "full"}
          options={optionsOf({ full: "Full access", read: "Read-only" })}
          onChange={(access) => onChange({ readOnly: access === "read" })}
        />
        <p className="hint" role="status">
          {readOnly
            ? "Lists, reads and searches. It can’t transcribe, change or delete anything."
            : "Transcribes, reads and changes your bio page."}
        </p>
      </div>
      <div className="pairs" style={{ "--least": "200px" }}>
        <Select
          label="Expires"
          value={lifetime}
          options={lifetimes}
          onChange={(choice) => onChange({ lifetime: choice })}
        />
        {lifetime === "date" && (
          <Input
            label="Last day"
            type="date"
            min={today()}
            error={problems.date}
            value={date}
            onChange={(event) => onChange({ date: event.target.value })}
          />
        )}
      </div>
    </>
  );
}

function NewKeyDialog({
  createdKey: { key, secret },
  onClose,
}: {
  readonly createdKey: Output<"createKey">;
  readonly onClose: () => void;
}) {
  const [use, setUse] = useState<"shell" | "mcp">("shell");
  return (
    <SecretDialog
      title="Copy your key now"
      why="This is the only time we show it. We keep a hash, not the key."
      owner={<bdi>{key.name}</bdi>}
      secret={secret}
      noun="key"
      lost="Lost it? Revoke it and create another. Used transcriptions aren’t refunded."
      onClose={onClose}
    >
      <div className="stack tight">
        <Choice
          legend="Use it"
          value={use}
          options={optionsOf({ shell: "Try it with curl", mcp: "Add it to Claude Code" })}
          onChange={setUse}
        />
        {use === "shell" ? (
          <CodeBlock label="Request with the new key" code={firstCurl(location.origin, secret)} />
        ) : (
          <CodeBlock label="Command that adds the MCP server" code={mcpCommand(location.origin, secret)} />
        )}
      </div>
    </SecretDialog>
  );
}
