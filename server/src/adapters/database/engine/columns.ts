import pg from "pg";
import type { Column } from "./statement.ts";

export const isText: Column<string> = (value): value is string => typeof value === "string";
export const isNumber: Column<number> = (value): value is number => typeof value === "number";
export const isBoolean: Column<boolean> = (value): value is boolean => typeof value === "boolean";
export const isMoment: Column<Date> = (value): value is Date => value instanceof Date;
export const isBytes: Column<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array;
/** For a column whose values are parsed where they are used. */
export const isAnything: Column<unknown> = (_value): _value is unknown => true;

export const orNull =
  <Type>(isType: Column<Type>): Column<Type | null> =>
  (value): value is Type | null =>
    value === null || isType(value);

export const isOneOf =
  <const Type extends string>(...types: readonly Type[]): Column<Type> =>
  (value): value is Type =>
    types.includes(value as Type);

export const isListOf =
  <Type>(isType: Column<Type>): Column<Type[]> =>
  (value): value is Type[] =>
    Array.isArray(value) && value.every(isType);

/** A JSON object with these fields; its other fields are ignored. */
export function isObjectOf<Type extends object>(fields: {
  readonly [Name in keyof Type]?: Column<Type[Name]>;
}): Column<Type> {
  const checks = Object.entries(fields) as [string, Column<unknown>][];
  return (value): value is Type =>
    typeof value === "object" &&
    value !== null &&
    checks.every(([name, isType]) => isType((value as Record<string, unknown>)[name]));
}

const int8 = 20;

const toNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The database answered a number that is too large: ${text}`);
  return value;
};

/** Types of values, the same on both engines: bigint as number, timestamptz as Date, bytea as Uint8Array. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: "text" | "binary") =>
    type === int8 && format !== "binary"
      ? toNumber
      : pg.types.getTypeParser(type, format as "text")) as typeof pg.types.getTypeParser,
};
