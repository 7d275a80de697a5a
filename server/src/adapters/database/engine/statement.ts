import { createHash } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { storable } from "./storable.ts";

/** All connections of a database; each statement uses one of them. */
export type Database = Pool;
/** One connection, in a transaction that `transaction` opened. */
export type Transaction = PoolClient;
export type Queryable = Database | Transaction;

type Scalar = string | number | boolean | Date | Uint8Array | null;
type Value = Scalar | readonly (string | number | null)[];

/** Checks that a value from the database has the type declared for its column. */
export type Column<Type> = (value: unknown) => value is Type;
type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Type> ? Type : never;
};

/** A statement with named parameters; their values follow the connection. */
export interface Statement<Parameter extends string = string, Row = unknown> {
  /** The declared columns of each row. Throws if one is missing or has another type. */
  rows(on: Queryable, ...given: Given<Parameter>): Promise<Row[]>;
  /** The first row, if there is one. */
  row(on: Queryable, ...given: Given<Parameter>): Promise<Row | undefined>;
  /** The only row of a statement that always returns one. */
  onlyRow(on: Queryable, ...given: Given<Parameter>): Promise<Row>;
  /** Number of rows that the statement changed or found. */
  run(on: Queryable, ...given: Given<Parameter>): Promise<number>;
  /** Declares the columns to read, by their names in camelCase: `createdAt` reads `created_at`. */
  reading<Of extends Columns>(columns: Of): Statement<Parameter, RowOf<Of>>;
  /** Gives it a name that identifies it on its way to the server. */
  named(name: string): Statement<Parameter, Row>;
  /** Closes the connection if nothing comes back within so many milliseconds. */
  within(milliseconds: number): Statement<Parameter, Row>;
}

/** A statement without parameters is sent without values. */
type Given<Parameter extends string> = [Parameter] extends [never] ? [] : [values: Readonly<Record<Parameter, Value>>];

const parameter = /(?<!:):([a-zA-Z]+)/g;

/**
 * Declares a statement whose parameters are written `:name`; the type is derived from the text, and the compiler requires a
 * value for each.
 */
export const statement = <const Text extends string>(text: Text): Statement<ParametersIn<Text>, object> =>
  computedStatement<ParametersIn<Text>>(text);

/** Like `statement`, for a text that the compiler can't parse; `Parameter` lists its possible names. */
export function computedStatement<Parameter extends string>(written: string): Statement<Parameter, object> {
  const parameters = Array.from(new Set(Array.from(written.matchAll(parameter), ([, name]) => name as Parameter)));
  const text = written.replaceAll(parameter, (_, name: Parameter) => `$${parameters.indexOf(name) + 1}`);
  const ask = (on: Queryable, options: QueryOptions, [values]: Given<Parameter>) => {
    const query = {
      ...options,
      text,
      values: values === undefined ? [] : parameters.map((one) => stored(one, values[one])),
    };
    // A transaction that lost is tried again from its beginning.
    return "release" in on ? on.query(query) : unlessLost(() => on.query(query));
  };

  function statementOf<Row>(
    options: QueryOptions,
    check: (rows: readonly unknown[]) => Row[],
  ): Statement<Parameter, Row> {
    const rows: Statement<Parameter, Row>["rows"] = async (on, ...given) => check((await ask(on, options, given)).rows);
    return {
      rows,
      row: async (on, ...given) => (await rows(on, ...given))[0],
      async onlyRow(on, ...given) {
        const [row] = await rows(on, ...given);
        if (row === undefined) throw new Error(`The database answered with nothing: ${shortened(text)}`);
        return row;
      },
      run: async (on, ...given) => (await ask(on, options, given)).rowCount ?? 0,
      reading: (columns) => statementOf(options, checkOf(text, columns)),
      named: (name) => statementOf({ ...options, name }, check),
      within: (milliseconds) => statementOf({ ...options, query_timeout: milliseconds }, check),
    };
  }
  // With a name, every connection parses and plans a statement only once.
  return statementOf({ name: createHash("sha256").update(text).digest("base64url") }, (rows) => rows.map(() => ({})));
}

/** Options sent to the server with a text and its values. */
interface QueryOptions {
  readonly name: string;
  readonly query_timeout?: number;
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

function stored(name: string, value: Value | undefined): unknown {
  if (typeof value === "string") return storable(value);
  if (Array.isArray(value)) return value.map((one: Scalar) => (typeof one === "string" ? storable(one) : one));
  if (value === undefined) throw new Error(`The parameter ${name} has no value`);
  return value;
}

const unstorableEscapes = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;

/**
 * A value as JSON that the database reads with all its operators. Texts lose U+0000, and halves of characters become U+FFFD,
 * as they do in columns of text.
 */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(unstorableEscapes, (_, before: string, code: string) =>
    code === "0000" ? before : `${before}\uFFFD`,
  );

/** Picks the declared columns from a row. */
export const columnsOf = <Of extends Columns>(row: RowOf<Of>, columns: Of): RowOf<Of> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, row[name]])) as RowOf<Of>;

/** The server didn't answer a statement in time, so the connection can't be used any more. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === "Query read timeout";

/** A serialization failure, or a deadlock with another transaction. */
const lostStates: ReadonlySet<unknown> = new Set(["40001", "40P01"]);
const mostTries = 3;

/** Another transaction was faster. Nothing was changed, and a retry may succeed. */
export const isLost = (error: unknown): boolean =>
  error instanceof Error && "code" in error && lostStates.has(error.code);

/** Tries again what another transaction got ahead of, up to three times in all. */
async function unlessLost<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = mostTries - 1; ; left -= 1)
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !isLost(error)) throw error;
    }
}

/**
 * Commits the changes of `work`, or rolls all of them back if it throws. It is called again, up to three times in all, if
 * another transaction was faster, so it changes nothing but the database. Inside, use only `inside`: an embedded database has
 * one connection.
 */
export const transaction = <Result>(
  database: Database,
  work: (inside: Transaction) => Promise<Result>,
): Promise<Result> => unlessLost(() => tryTransaction(database, work));

async function tryTransaction<Result>(
  database: Database,
  work: (inside: Transaction) => Promise<Result>,
): Promise<Result> {
  const inside = await database.connect();
  try {
    await inside.query("begin");
    const result = await work(inside);
    await inside.query("commit");
    inside.release();
    return result;
  } catch (error) {
    if (isUnanswered(error)) {
      inside.release(true);
      throw error;
    }
    const undone = await inside.query("rollback").then(
      () => true,
      () => false,
    );
    inside.release(!undone);
    throw error;
  }
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
type ParametersIn<Text, Names extends string = never> = Text extends `${string}:${infer Rest}`
  ? Rest extends `:${infer Cast}`
    ? ParametersIn<Cast, Names>
    : ParametersIn<Rest, Names | NameIn<Rest>>
  : Names;
