import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { storable } from "./storable.ts";

/** All connections of a database; each statement takes one for itself. */
export type Database = Pool;
/** One connection, in a transaction that `transaction` opened. */
export type Transaction = PoolClient;
export type Queryable = Database | Transaction;

type Scalar = string | number | boolean | Date | Uint8Array | null;
type Value = Scalar | readonly (string | number | null)[];

/** Says whether a value that the database answered is of the type that is written down for its column. */
export type Column<Type> = (value: unknown) => value is Type;
type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Type> ? Type : never;
};

/** A statement with named parameters. */
export interface Statement<Parameter extends string = string, Row = unknown> {
  /** That of its text, by which every connection parses and plans it once. */
  readonly name: string;
  /** As the server takes it, with numbers instead of names. */
  readonly text: string;
  /** In the order of their numbers. */
  readonly parameters: readonly Parameter[];
  /** The columns that are read, of each row. Throws when one isn't there or isn't of its type. */
  readonly check: (rows: readonly unknown[]) => Row[];
  /** With the columns that are read, by their names in camelCase: `createdAt` reads `created_at`. */
  reading<Of extends Columns>(columns: Of): Statement<Parameter, RowOf<Of>>;
  /** With a name by which it can be told apart on its way to the server. */
  named(name: string): Statement<Parameter, Row>;
}

type Values<Parameter extends string> = Readonly<Record<Parameter, Value>>;
/** A statement without parameters is sent without values. */
type Given<Parameter extends string> = [Parameter] extends [never] ? [] : [values: Values<Parameter>];

const parameter = /(?<!:):([a-zA-Z]+)/g;

/**
 * Declares a statement whose parameters are written `:name`; they are read off the text, and the compiler asks for a value
 * for each.
 */
export const statement = <const Text extends string>(text: Text): Statement<ParametersIn<Text>, object> =>
  computedStatement<ParametersIn<Text>>(text);

/** As `statement`, for a text that the compiler can't read: `Parameter` are the names that may be in it. */
export function computedStatement<Parameter extends string>(written: string): Statement<Parameter, object> {
  const parameters = Array.from(new Set(Array.from(written.matchAll(parameter), ([, found]) => found as Parameter)));
  const text = written.replaceAll(parameter, (_, found: Parameter) => `$${parameters.indexOf(found) + 1}`);
  const made = <Row>(name: string, check: Statement<Parameter, Row>["check"]): Statement<Parameter, Row> => ({
    name,
    text,
    parameters,
    check,
    reading: (columns) => made(name, checkOf(text, columns)),
    named: (given) => made(given, check),
  });
  return made(createHash("sha256").update(text).digest("base64url"), (rows) => rows.map(() => ({})));
}

function checkOf<Row>(text: string, columns: Columns): (rows: readonly unknown[]) => Row[] {
  const checks = Object.entries(columns).map(([property, isOfType]) => ({
    property,
    column: property.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    isOfType,
  }));
  return (rows) =>
    (rows as Record<string, unknown>[]).map((row) => {
      const checked: Record<string, unknown> = {};
      for (const { property, column, isOfType } of checks) {
        if (!isOfType(row[column]))
          throw new Error(`The database answered with a ${column} of another type: ${shortened(text)}`);
        checked[property] = row[column];
      }
      return checked as Row;
    });
}

const shortened = (text: string): string => text.trim().replaceAll(/\s+/gu, " ").slice(0, 100);

/** What a connection takes. */
export const queryOf = <Parameter extends string>(
  { name, text, parameters }: Statement<Parameter>,
  values: Values<Parameter> | undefined,
): { name: string; text: string; values: unknown[] } => ({
  name,
  text,
  values: values === undefined ? [] : parameters.map((one) => stored(one, values[one])),
});

function stored(name: string, value: Value | undefined): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map((one: Scalar) => (typeof one === "string" ? storable(one) : one));
  if (value === undefined) throw new Error(`The parameter ${name} has no value`);
  return value;
}

export async function rowsOf<Parameter extends string, Row>(
  on: Queryable,
  asked: Statement<Parameter, Row>,
  ...[values]: Given<Parameter>
): Promise<Row[]> {
  return asked.check((await on.query(queryOf(asked, values))).rows);
}

/** The first row, if there is one. */
export async function rowOf<Parameter extends string, Row>(
  on: Queryable,
  asked: Statement<Parameter, Row>,
  ...given: Given<Parameter>
): Promise<Row | undefined> {
  return (await rowsOf(on, asked, ...given))[0];
}

/** Of a row, the columns that are declared: all of it, or a part. */
export const columnsOf = <Of extends Columns>(row: RowOf<Of>, columns: Of): RowOf<Of> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])) as RowOf<Of>;

/** The only row of a statement that always answers one. */
export async function onlyRowOf<Parameter extends string, Row>(
  on: Queryable,
  asked: Statement<Parameter, Row>,
  ...given: Given<Parameter>
): Promise<Row> {
  const row = await rowOf(on, asked, ...given);
  if (row === undefined) throw new Error(`The database answered with nothing: ${shortened(asked.text)}`);
  return row;
}

/** How many rows the statement changed or found. */
export async function execute<Parameter extends string>(
  on: Queryable,
  asked: Statement<Parameter>,
  ...[values]: Given<Parameter>
): Promise<number> {
  return (await on.query(queryOf(asked, values))).rowCount ?? 0;
}

type Letters<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | Letters<Rest> : never;
type Letter = Letters<"abcdefghijklmnopqrstuvwxyz"> | Letters<"ABCDEFGHIJKLMNOPQRSTUVWXYZ">;

/** The letters that a text begins with; `never` when it begins with something else. */
type NameIn<Text, Name extends string = ""> = Text extends `${infer First}${infer Rest}`
  ? First extends Letter
    ? NameIn<Rest, `${Name}${First}`>
    : Exclude<Name, "">
  : Exclude<Name, "">;

/** The names of the parameters in a statement, which are written `:name`; a cast is written `::type`. */
type ParametersIn<Text, Found extends string = never> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Cast}`
    ? ParametersIn<Cast, Found>
    : ParametersIn<Rest, Found | NameIn<Rest>>
  : Found;
