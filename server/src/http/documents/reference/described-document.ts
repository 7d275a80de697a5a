/** A JSON Schema as the OpenAPI document writes it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Body {
  readonly content: { readonly "application/json": Content };
}

type Shared<Part> = Part | { readonly $ref: string };

export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Shared<Parameter>[];
  readonly requestBody?: Shared<Body>;
  readonly responses: Readonly<Record<string, Shared<Answer>>>;
}

/** The parts of the OpenAPI document that the reference reads. */
export interface DescribedDocument {
  readonly info: { readonly description: string; readonly version: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  /** Events sent to endpoints, by name. */
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly requestBodies: Readonly<Record<string, Body>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** A parameter or an answer, wherever the document has it. */
export function resolvePart<Part extends object>(part: Shared<Part>, components: Readonly<Record<string, Part>>): Part {
  if (!("$ref" in part)) return part;
  const component = components[nameOf(part.$ref)];
  if (component === undefined) throw new Error(`The document has nothing at ${part.$ref}`);
  return component;
}

/** A schema with the fields of those that it extends. */
export function withInherited(schema: Schema, schemas: DescribedDocument["components"]["schemas"]): Schema {
  const bases = (schema.allOf ?? []).map((base) =>
    withInherited(base.$ref === undefined ? base : (schemas[nameOf(base.$ref)] ?? {}), schemas),
  );
  return {
    ...schema,
    properties: Object.assign(
      {},
      ...bases.map(({ properties }) => properties),
      schema.properties,
    ) as Schema["properties"],
    required: [...bases.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
  };
}
