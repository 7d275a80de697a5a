import { markup, type Markup } from "../../../markup/markup.ts";
import { nameOf, type Schema } from "./described-document.ts";
import { richText } from "./rich-text.ts";

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  /** Shown next to the name: a request needs the field, or a response may lack it. */
  readonly note?: string | undefined;
}

type Side = "request" | "answer";

/** Fields with their types and meanings, and those of objects in them below. */
export const fieldList = (fields: readonly Field[], side: Side): Markup =>
  markup`<dl class="props">${fields.map(
    ({ name, schema, description = schema.description, note }) =>
      markup`<div><dt><code>${name}</code> <span class="meta">${typeOf(schema)}</span>${note !== undefined && markup` <span class="chip">${note}</span>`}</dt><dd>${description !== undefined && markup`<p>${richText(description)}</p>`}${limitsOf(schema)}${inside(schema, side)}</dd></div>`,
  )}</dl>`;

/** The fields of an object. A request may lack most of them, an answer a few. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema, side: Side): Field[] =>
  Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const note = side === "request" ? (isRequired ? "required" : undefined) : isRequired ? undefined : "may be absent";
    return { name, schema, note };
  });

function inside(schema: Schema, side: Side): Markup | undefined {
  const object = schema.items ?? schema;
  return object.properties && fieldList(fieldsOf(object, side), side);
}

function typeOf({ $ref, type, items, anyOf, const: only, format }: Schema): Markup | string {
  if ($ref !== undefined) return markup`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (only !== undefined) return JSON.stringify(only);
  if (items !== undefined) return markup`list of ${typeOf(items)}${Array.isArray(type) && " or null"}`;
  if (type === undefined)
    return anyOf === undefined ? "any" : markup`${anyOf.map((one, index) => [index > 0 && " or ", typeOf(one)])}`;
  const names = typeof type === "string" ? [type] : type;
  return names.map((name) => (name !== "null" && format !== undefined ? `${name} (${format})` : name)).join(" or ");
}

function limitsOf(schema: Schema): Markup | undefined {
  const { enum: values, anyOf, default: standard, minimum, maximum, minLength, maxLength, maxItems, pattern } = schema;
  const facts: (Markup | string)[] = [];
  const choices = values ?? schema.items?.enum ?? anyOf?.find((one) => one.enum !== undefined)?.enum;
  if (choices !== undefined)
    facts.push(
      markup`One of ${choices.map((value, index) => [index > 0 && ", ", markup`<code>${String(value)}</code>`])}.`,
    );
  if (standard !== undefined && standard !== null)
    facts.push(markup`Default <code>${JSON.stringify(standard)}</code>.`);
  if (minimum !== undefined && maximum !== undefined) facts.push(`${minimum} to ${maximum}.`);
  else if (minimum !== undefined && minimum > 0) facts.push(`At least ${minimum}.`);
  if (maxLength !== undefined)
    facts.push(
      minLength === undefined ? `At most ${maxLength} characters.` : `${minLength} to ${maxLength} characters.`,
    );
  if (maxItems !== undefined) facts.push(`At most ${maxItems}.`);
  if (pattern !== undefined) facts.push(markup`Pattern <code>${pattern}</code>.`);
  return facts.length === 0
    ? undefined
    : markup`<p class="meta">${facts.map((fact, index) => [index > 0 && " ", fact])}</p>`;
}
