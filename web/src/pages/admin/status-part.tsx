import type { Output } from "@reelscript/client/core";
import type { ReactNode } from "react";
import { Chip, Moment } from "../../components/inline.tsx";
import { SettingsRow } from "../settings/settings-tabs.tsx";

type Status = Output<"getServiceStatus">;
type Part = Status["parts"][number];

const states: Readonly<Record<Part["state"], { readonly label: string; readonly kind: "ok" | "warn" | "bad" }>> = {
  ok: { label: "OK", kind: "ok" },
  note: { label: "Attention", kind: "warn" },
  away: { label: "Away", kind: "bad" },
  wrong: { label: "Broken", kind: "bad" },
};
/** Parts that need somebody come first. */
const order: readonly Part["state"][] = ["wrong", "away", "note", "ok"];

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function StatusPart({ status }: { readonly status: Status }) {
  const parts = status.parts.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  return (
    <>
      <section className="stack tight" aria-label="Health">
        <ul className="sessions side-by-side-rows" aria-label="Parts of the service">
          {parts.map(({ part, state, text }, index) => (
            <SettingsRow
              key={`${part} ${index}`}
              name={withCapital(part)}
              state={<Chip kind={states[state].kind}>{states[state].label}</Chip>}
              facts={<span className="breaks-anywhere">{text}</span>}
            >
              {undefined}
            </SettingsRow>
          ))}
        </ul>
        <p className="hint">
          Looked at every 15 seconds; parts on other machines are tested once a minute. The command line shows the same
          with <code>reelscript status</code> and <code>reelscript check</code>.
        </p>
      </section>
      <Version status={status} />
    </>
  );
}

function Version({ status: { version, tables, lastBackupAt } }: { readonly status: Status }) {
  return (
    <section className="stack tight">
      <h2>Version and upgrades</h2>
      <dl className="person">
        <Fact name="Release">{version}</Fact>
        <Fact name="Tables">
          {tables.newest.name}, since <Moment at={tables.newest.appliedAt} style="long" />
        </Fact>
        <Fact name="At the next start">{pendingText(tables)}</Fact>
        <Fact name="Going back">{backText(tables)}</Fact>
        <Fact name="Last backup">{lastBackupAt === null ? "Not known" : <Moment at={lastBackupAt} />}</Fact>
      </dl>
      <p className="hint">
        Before an upgrade, <code>reelscript migrate --dry-run</code> of the new release lists what it will change, and
        changes nothing.
      </p>
    </section>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="semibold">{name}</dt>
    <dd>{children}</dd>
  </>
);

function pendingText({ pending, newer }: Status["tables"]): string {
  if (pending.length > 0) return `The tables change: ${pending.join(", ")}.`;
  if (newer.length > 0) return `Nothing changes. A newer release was here and added ${newer.join(", ")}.`;
  return "Nothing changes.";
}

const backText = ({ oldestRelease }: Status["tables"]): string =>
  oldestRelease === null
    ? "No earlier release starts on these tables. Going back needs a backup from before."
    : `Any release that has the tables up to ${oldestRelease} starts here, without a backup.`;
