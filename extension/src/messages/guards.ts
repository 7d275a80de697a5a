/** Checks the type of a value from elsewhere. */
export type Guard<Value> = (value: unknown) => value is Value;
export type Guarded<Of> = Of extends Guard<infer Value> ? Value : never;

export const text =
  (most: number): Guard<string> =>
  (value): value is string =>
    typeof value === "string" && value.length <= most;

export const number: Guard<number> = (value): value is number => typeof value === "number" && Number.isFinite(value);

export const flag: Guard<boolean> = (value): value is boolean => typeof value === "boolean";

export const oneOf =
  <const Value extends string | boolean>(...values: readonly Value[]): Guard<Value> =>
  (value): value is Value =>
    values.some((one) => one === value);

export const nullable =
  <Value>(guard: Guard<Value>): Guard<Value | null> =>
  (value): value is Value | null =>
    value === null || guard(value);

export const optional =
  <Value>(guard: Guard<Value>): Guard<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || guard(value);

export const list =
  <Value>(guard: Guard<Value>, most: number): Guard<readonly Value[]> =>
  (value): value is readonly Value[] =>
    Array.isArray(value) && value.length <= most && value.every((item) => guard(item));

export const table =
  <Value>(guard: Guard<Value>): Guard<Readonly<Record<string, Value>>> =>
  (value): value is Readonly<Record<string, Value>> =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => guard(item));

type Fields = Readonly<Record<string, Guard<unknown>>>;
type Shaped<Of extends Fields> = { readonly [Name in keyof Of]: Guarded<Of[Name]> };

export const shape =
  <const Of extends Fields>(fields: Of): Guard<Shaped<Of>> =>
  (value): value is Shaped<Of> =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, guard]) => guard((value as Readonly<Record<string, unknown>>)[name]));

type Messages<Of extends Readonly<Record<string, Fields>>> = {
  readonly [Type in keyof Of & string]: { readonly type: Type } & Shaped<Of[Type]>;
}[keyof Of & string];

/** Messages by their type, each with its fields. */
export const messages =
  <const Of extends Readonly<Record<string, Fields>>>(types: Of): Guard<Messages<Of>> =>
  (value): value is Messages<Of> => {
    if (!shape({ type: text(64) })(value)) return false;
    const fields = Object.hasOwn(types, value.type) ? types[value.type] : undefined;
    return fields !== undefined && shape(fields)(value);
  };
