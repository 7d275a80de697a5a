import pg from "pg";

const int8 = 20;

const toNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`The database answered a number that is too large: ${text}`);
  return value;
};

/** How values are read, the same on both engines: bigint as number, timestamptz as Date, bytea as Uint8Array. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((type: number, format?: "text" | "binary") =>
    type === int8 && format !== "binary"
      ? toNumber
      : pg.types.getTypeParser(type, format as "text")) as typeof pg.types.getTypeParser,
};
