import { isBoolean } from "../engine/columns.ts";
import { statement, type Queryable } from "../engine/statement.ts";

/** Once the compact form is used, releases without this migration can't read what is stored. */
export const compactTranscriptsName = "0014-compact-transcripts";

const findForm = statement("select exists (select from storage_form) as compact").reading({ compact: isBoolean });

/** The form in which transcripts are stored. It never changes back, and rows in the other form can still be read. */
export const readForm = (on: Queryable): Promise<{ readonly compact: boolean }> => findForm.onlyRow(on);

const chooseCompact = statement("insert into storage_form (since) values (clock_timestamp()) on conflict do nothing");

/** A release that doesn't read the form must not start. */
const bindReleases = statement(
  "update migration set additive = not exists (select from storage_form) where name = :migration",
);

/** From now on transcripts are stored in the compact form, and earlier releases refuse to start. */
export async function startCompactForm(on: Queryable): Promise<void> {
  await chooseCompact.run(on);
  await bindReleasesToForm(on);
}

/** Runs after the form was chosen, or was copied from another database. */
export async function bindReleasesToForm(on: Queryable): Promise<void> {
  await bindReleases.run(on, { migration: compactTranscriptsName });
}
