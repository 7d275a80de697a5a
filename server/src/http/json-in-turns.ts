import { setImmediate } from "node:timers/promises";

/** Characters after which others get a turn. */
const charactersOfTurn = 64 * 1_024;

/** Writes an object as JSON, a list item by item: what is long becomes bytes in UTF-8, with turns for others between them. */
export async function jsonInTurns(output: Readonly<Record<string, unknown>>): Promise<string | Buffer> {
  const written: Buffer[] = [];
  let text = "";
  for (const part of partsOf(output)) {
    text += part;
    if (text.length < charactersOfTurn) continue;
    written.push(Buffer.from(text));
    text = "";
    await setImmediate();
  }
  return written.length === 0 ? text : Buffer.concat([...written, Buffer.from(text)]);
}

function* partsOf(output: Readonly<Record<string, unknown>>): Generator<string> {
  let before = "{";
  for (const [field, value] of Object.entries(output)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(field)}:`;
    before = ",";
    if (Array.isArray(value)) yield* itemsOf(value);
    else yield JSON.stringify(value);
  }
  yield before === "{" ? "{}" : "}";
}

function* itemsOf(list: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [index, item] of list.entries()) yield `${index === 0 ? "" : ","}${JSON.stringify(item)}`;
  yield "]";
}
