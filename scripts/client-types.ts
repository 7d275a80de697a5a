import { readFileSync } from "node:fs";
import path from "node:path";
import type { Operation } from "@reelscript/contract";

/** The part of JSON Schema that our schemas use. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
  readonly description?: string;
}

/** The types of the operations' inputs and outputs, written out so that users need neither the contract nor zod. */
export function operationTypes(operations: Readonly<Record<string, Operation>>): string {
  const typeNames = new Map<string, string>();
  const describe = (side: "inputs" | "outputs"): string[] =>
    Object.entries(operations).map(([name, operation]) => {
      const io = side === "inputs" ? "input" : "output";
      const { $defs = {}, ...schema } = operation[io].toJSONSchema({ io }) as Schema;
      for (const [id, definition] of Object.entries($defs)) {
        const text = typeOf(definition, "");
        if (io === "input") {
          if (typeNames.get(id) !== text) throw new Error(`the input of ${name} names ${id} differently`);
        } else if ((typeNames.get(id) ?? text) === text) typeNames.set(id, text);
        else throw new Error(`${id} has two meanings`);
      }
      return `  ${name}: ${typeOf(schema, "  ")};\n`;
    });
  const outputs = describe("outputs").join("");
  const inputs = describe("inputs").join("");
  const types = [...typeNames].map(([name, text]) => `export type ${name} = ${text};\n`).join("");
  return `${types}
interface Outputs {
${outputs}}

interface Inputs {
${inputs}}

export type OperationName = keyof Outputs;

/** What an operation takes, by its name. */
export type Input<Name extends OperationName> = Inputs[Name];

/** What an operation answers, by its name. */
export type Output<Name extends OperationName> = Outputs[Name];
`;
}

/** Writes a JSON schema as a type. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (typeof schema.type === "object") return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)));
  if (schema.type === undefined && schema.anyOf !== undefined)
    return union(schema.anyOf.map((one) => typeOf(one, indent)));
  const { type = "unknown" } = schema;
  switch (type) {
    case "array":
      return `(${typeOf(schema.items ?? {}, indent)})[]`;
    case "object":
      return objectType(schema, indent);
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    default:
      return "unknown";
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined || Object.keys(properties).length === 0)
    return additionalProperties === false
      ? "Record<string, never>"
      : `Record<string, ${typeOf(additionalProperties || {}, indent)}>`;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isOptional = !required.includes(name);
    const comment = schema.description === undefined ? "" : `${inner}/** ${firstSentence(schema.description)} */\n`;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment}${inner}${key}${isOptional ? "?" : ""}: ${typeOf(schema, inner)}${isOptional ? " | undefined" : ""};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

/** The rest is in the documentation. */
const firstSentence = (text: string): string => text.replaceAll("*/", "* /").split(/(?<=\.) |; /, 1)[0]!;

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ");

/**
 * Collects all declarations that a file needs in one text without imports. `replaced` gives texts for files that aren't read,
 * `packages` the files of packages.
 */
export function flattenDeclarations(
  entry: string,
  { replaced, packages }: Readonly<Record<"replaced" | "packages", Readonly<Record<string, string>>>>,
): string {
  const texts = new Map<string, string>();
  const add = (file: string): void => {
    if (texts.has(file)) return;
    const text = replaced[file] ?? readFileSync(file, "utf8");
    texts.set(file, text);
    for (const [, name = ""] of text.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)";/gm))
      add(packages[name] ?? path.resolve(path.dirname(file), name.replace(/(\.d)?\.(ts|js)$/, ".d.ts")));
  };
  add(entry);
  const exported = [...texts.get(entry)!.matchAll(/^export (?:type )?\{([^}]*)\} from/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.replace(/\btype /, "").trim())
      .filter((name) => name !== ""),
  );
  const declared = [...texts].filter(([file]) => file !== entry).flatMap(([, text]) => declarationsOf(text));
  return `${needed(withoutSynonyms(declared), exported).join("\n")}\nexport { ${exported.join(", ")} };\n`;
}

interface Declaration {
  readonly name: string | undefined;
  readonly text: string;
}

/** Each declaration with its preceding comment. */
function declarationsOf(text: string): Declaration[] {
  const declarationText = text
    .replace(/^(?:import|export)\b[^;]*?\bfrom "[^"]+";\n?/gm, "")
    .replace(/^export \{[^}]*\};?\n?/gm, "")
    .replace(/^\/\/# sourceMappingURL=.*\n?/gm, "")
    .replace(/^export (?=declare|interface|type|abstract)/gm, "")
    .replace(/^( {4})+/gm, (indent) => "\t".repeat(indent.length / 4));
  const start = /^(?:declare (?:abstract )?(?:class|const|function)|interface|type) (\w+)/;
  const declarations: string[][] = [];
  let lines: string[] = [];
  for (const line of declarationText.split("\n")) {
    const begins = start.test(line) || line.startsWith("/**");
    if (begins && lines.some((one) => start.test(one))) {
      declarations.push(lines);
      lines = [];
    }
    if (line !== "") lines.push(line);
  }
  if (lines.length > 0) declarations.push(lines);
  return declarations.map((all) => ({
    name: all.map((line) => start.exec(line)?.[1]).find((name) => name !== undefined),
    text: all.join("\n"),
  }));
}

/** A type may have the name of a schema, such as `ErrorCode`; it is written only once. */
function withoutSynonyms(declarations: readonly Declaration[]): Declaration[] {
  const types = new Set<string | undefined>();
  return declarations.filter(({ name, text }) => {
    if (!/^type /m.test(text)) return true;
    const isNew = !types.has(name);
    types.add(name);
    return isNew;
  });
}

/** The texts of exported declarations, and of those that they refer to. */
function needed(declarations: readonly Declaration[], exported: readonly string[]): string[] {
  const neededDeclarations = new Set<Declaration>();
  const keep = (name: string): void => {
    for (const one of declarations)
      if (one.name === name && !neededDeclarations.has(one)) {
        neededDeclarations.add(one);
        for (const [word] of one.text.replace(/\/\*\*.*?\*\//gs, "").matchAll(/\b[A-Z]\w*\b/g)) keep(word);
      }
  };
  for (const name of exported) keep(name);
  return declarations.filter((one) => neededDeclarations.has(one)).map(({ text }) => text);
}
