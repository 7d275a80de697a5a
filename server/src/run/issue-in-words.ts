import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  date: "a date",
  null: "null",
};

const formats: Readonly<Record<string, string>> = {
  url: "must be a full URL such as https://example.com/page",
  datetime: "must be a date and time such as 2026-11-20T10:00:00Z",
  date: "must be a date such as 2026-11-20",
  regex: "has characters that are not allowed",
};

/** Says in plain words what is accepted; a schema's own message wins. */
export function issueInWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "never"
        ? "must be left out"
        : `must be ${kinds[issue.expected] ?? issue.expected}${received(issue.input)}`;
    case "too_small":
      return issue.origin === "string" && Number(issue.minimum) === 1
        ? "must not be empty"
        : `must ${bounded(issue.origin)} ${issue.inclusive === false ? "more than" : "at least"} ${amount(issue.origin, issue.minimum)}`;
    case "too_big":
      return `must ${bounded(issue.origin)} ${issue.inclusive === false ? "less than" : "at most"} ${amount(issue.origin, issue.maximum)}`;
    case "invalid_format":
      return formats[issue.format] ?? "is not in the right format";
    case "invalid_value":
      return `must be ${oneOf(issue.values)}`;
    case "not_multiple_of":
      return issue.divisor === 1 ? "must be a whole number" : `must be a multiple of ${String(issue.divisor)}`;
    case "invalid_union":
      return "has none of the accepted forms";
    case "invalid_key":
    case "invalid_element":
    case "custom":
    case "unrecognized_keys":
      return "is not valid";
  }
}

/** Names the kind of the given value, so that the sender sees which value is wrong. */
function received(input: unknown): string {
  if (input === undefined) return "";
  const kind = input === null ? "null" : Array.isArray(input) ? "array" : typeof input;
  return kind in kinds ? `, not ${kinds[kind]}` : "";
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  set: ["item", "items"],
  map: ["entry", "entries"],
  file: ["byte", "bytes"],
};

const bounded = (origin: string): string => (origin in units ? "have" : "be");

function amount(origin: string, value: number | bigint): string {
  const [one, many] = units[origin] ?? [undefined, undefined];
  const figure = value.toLocaleString("en-US");
  return many === undefined ? figure : `${figure} ${Number(value) === 1 ? one : many}`;
}

const mostValues = 12;

function oneOf(values: readonly unknown[]): string {
  const examples = values.slice(0, mostValues).map((value) => JSON.stringify(value));
  const list = values.length > mostValues ? [...examples, "…"] : examples;
  return list.length > 1 ? `${list.slice(0, -1).join(", ")} or ${list.at(-1)}` : (list[0] ?? "left out");
}
