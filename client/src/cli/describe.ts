import type { Page } from "./surroundings.ts";
import { padEnd, showValue, table, textWidth, wrapText } from "./text.ts";

/** A value with its path in an answer; a list is one value. */
type Field = readonly [label: string, value: unknown];

/** Any answer: its fields as aligned lines of label and value, then each list as a table, under its label. */
export function describe(answer: object, page: Page): string {
  const fields = fieldsOf(answer, "");
  const isList = ([, value]: Field): boolean => Array.isArray(value);
  const lists = fields.filter(isList).map(([label, value]) => {
    const items = value as readonly unknown[]; // safe: lists were filtered
    return `${page.bold(label)}\n${describeList(items, page)}`;
  });
  const values = fields.filter((field) => !isList(field));
  return [...(values.length > 0 ? [describeFields(values, page)] : []), ...lists].join("\n\n");
}

/** Long values continue below their beginning. */
function describeFields(fields: readonly Field[], page: Page): string {
  const width = Math.max(...fields.map(([label]) => textWidth(label)));
  return fields
    .flatMap(([label, value]) =>
      wrapText(showValue(value), Math.max(20, page.width - width - 2)).map((line, row) =>
        `${page.dim(padEnd(row === 0 ? label : "", width))}  ${line}`.trimEnd(),
      ),
    )
    .join("\n");
}

function describeList(items: readonly unknown[], page: Page): string {
  const isPlain = items.some((item) => item === null || typeof item !== "object");
  if (isPlain) return items.flatMap((item) => wrapText(showValue(item), page.width)).join("\n");
  const rows = items.map((item) => new Map(fieldsOf(item, "")));
  // A column that is empty in every row means nothing.
  const labels = [...new Set(rows.flatMap((row) => [...row.keys()]))].filter((label) =>
    rows.some((row) => showValue(row.get(label)) !== "–"),
  );
  const columns = labels.map((label) => ({
    title: label.toUpperCase(),
    right: rows.every((row) => typeof (row.get(label) ?? 0) === "number"),
    cell: (row: ReadonlyMap<string, unknown>) => showValue(row.get(label)),
  }));
  const asTable = table(rows, columns, page);
  if (page.width === Infinity || asTable.split("\n").every((line) => textWidth(line) <= page.width)) return asTable;
  return rows
    .map((row) =>
      describeFields(
        [...row].filter(([label]) => labels.includes(label)),
        page,
      ),
    )
    .join("\n\n");
}

/** The fields of an answer with their labels; one that is left out has no field. */
function fieldsOf(value: unknown, label: string): Field[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== "object" || (Array.isArray(value) && value.length > 0))
    return [[label, value]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[label, null]];
  return entries.flatMap(([name, item]) => fieldsOf(item, readable(label === "" ? name : `${label} ${name}`)));
}

/** `postedAt` becomes `Posted at`. */
function readable(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
