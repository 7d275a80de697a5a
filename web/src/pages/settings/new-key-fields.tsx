import { Choice } from "../../components/choice.tsx";
import { Input, Select } from "../../components/field.tsx";
import { isDayAhead, lifetimes, today, type Lifetime } from "../../components/notices/key-end.ts";

export interface NewKey {
  readonly name: string;
  readonly lifetime: Lifetime;
  /** Of a date field; it counts where the lifetime is a date. */
  readonly date: string;
  readonly readOnly: boolean;
}

export const emptyKey: NewKey = { name: "", lifetime: "never", date: "", readOnly: false };

/** What is still wrong, by field. */
export const problemsOf = ({ name, lifetime, date }: NewKey): { readonly name?: string; readonly date?: string } => ({
  ...(name.trim() === "" && { name: "Give the key a name." }),
  ...(lifetime === "date" && !isDayAhead(date) && { date: "Choose today or a later day." }),
});

const lifetimeLabels: Readonly<Record<Lifetime, string>> = {
  never: "Never",
  "7": "In 7 days",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
  date: "On a date…",
};

interface Props {
  readonly value: NewKey;
  readonly problems: ReturnType<typeof problemsOf>;
  readonly onChange: (change: Partial<NewKey>) => void;
}

export function NewKeyFields({ value: { name, lifetime, date, readOnly }, problems, onChange }: Props) {
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
          options={[
            { value: "full", label: "Full access" },
            { value: "read", label: "Read-only" },
          ]}
          onChange={(access) => onChange({ readOnly: access === "read" })}
        />
        <p className="hint" role="status">
          {readOnly
            ? "Lists, reads and searches. It can’t transcribe, change or delete anything."
            : "Transcribes, reads and changes your bio page."}
        </p>
      </div>
      <div className="key-end">
        <Select
          label="Expires"
          value={lifetime}
          options={lifetimes.map((value) => ({ value, label: lifetimeLabels[value] }))}
          onChange={(chosen) => onChange({ lifetime: chosen })}
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
