import { type Operation, type OperationName, operations } from "@reelscript/contract";

type FieldKind = "string" | "number" | "boolean" | "json";

/** One input field of an operation as the command line takes it. */
export interface Field {
  /** Name in the contract. */
  readonly name: string;
  /** Name on the command line, without dashes. */
  readonly flag: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly description: string;
  readonly choices: readonly string[];
  readonly default: string | undefined;
}

/** An operation of the contract as a command. */
export interface Command {
  readonly name: string;
  readonly operationName: OperationName;
  readonly operation: Operation;
  /** Required fields first, in the contract's order. */
  readonly fields: readonly Field[];
}

const verbs = { GET: "", POST: "", PATCH: "update-", DELETE: "delete-" } as const;

/**
 * The REST path says the command: `GET /scripts` is `scripts`, `GET /scripts/{id}` and `GET /scripts/resolve` are `script`,
 * `PATCH /bio` is `update-bio`, `POST /scripts/{id}/retranscribe` is `retranscribe`.
 */
export function commandName({ http: { method, path } }: Operation): string {
  const done = /\{\w+\}\/(\w+)$/.exec(path)?.[1];
  if (method === "POST" && done !== undefined) return done;
  const single = /\/(\{\w+\}|resolve)$/.test(path);
  const words = path.split("/").filter((segment) => !/^(|\{\w+\}|resolve)$/.test(segment));
  return (
    verbs[method] +
    words.map((word, index) => (single && index === words.length - 1 ? word.replace(/s$/, "") : word)).join("-")
  );
}

export const commands: readonly Command[] = Object.entries(operations).map(([operationName, operation]) => ({
  name: commandName(operation),
  operationName: operationName as OperationName,
  operation,
  fields: readFields(operation),
}));

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

function readFields(operation: Operation): Field[] {
  // A JSON Schema is the one description of a field that does not depend on how Zod wraps defaults and refinements.
  const { properties = {}, required = [] } = operation.input.toJSONSchema({ io: "input" }) as JsonSchema;
  return Object.entries(properties)
    .map(([name, schema]) => ({
      name,
      flag: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      kind: fieldKind(schema),
      required: required.includes(name),
      description: schema.description ?? "",
      choices: (schema.enum ?? []).map(String),
      default: typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default),
    }))
    .sort((left, right) => Number(right.required) - Number(left.required));
}

function fieldKind({ type, anyOf = [] }: JsonSchema): FieldKind {
  // What may be null too is given as what it is otherwise.
  const [other, ...more] = anyOf.filter((one) => one.type !== "null");
  if (other !== undefined && more.length === 0) return fieldKind(other);
  if (type === "string" || type === "boolean") return type;
  return type === "integer" || type === "number" ? "number" : "json";
}
