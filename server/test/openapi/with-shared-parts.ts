interface Described {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly example?: unknown;
    readonly schema: { readonly examples?: readonly string[] };
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": { readonly example: unknown } } };
}
interface Fields {
  readonly properties?: Readonly<Record<string, unknown>>;
}
/** The parts of the OpenAPI document that show an example of every operation. */
export interface ExampleDocument {
  readonly components: {
    readonly schemas: Readonly<Record<string, Fields & { readonly allOf?: readonly Fields[] }>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

type Json = Readonly<Record<string, unknown>>;
type Part = { readonly $ref?: string } & Json;

/** The document with the parameters and answers that operations share written out where they are used. */
export function withSharedParts<Document extends { readonly paths: object; readonly components?: object }>(
  document: Document,
): Document {
  const written = (part: Part): Json => {
    if (part.$ref === undefined) return part;
    let value: unknown = document;
    for (const name of part.$ref.split("/").slice(1)) value = (value as Json)[name.replaceAll("~1", "/")];
    if (value === undefined) throw new Error(`nothing is at ${part.$ref}`);
    return value as Json;
  };
  const mapped = (parts: object, change: (part: never) => unknown): Json =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part as never)]));
  const paths = mapped(document.paths, (item: Json) =>
    mapped(
      item,
      (operation: {
        readonly parameters?: readonly Part[];
        readonly requestBody?: Part;
        readonly responses: Json;
      }) => ({
        ...operation,
        ...(operation.parameters && { parameters: operation.parameters.map(written) }),
        ...(operation.requestBody && { requestBody: written(operation.requestBody) }),
        responses: mapped(operation.responses, written),
      }),
    ),
  );
  return { ...document, paths };
}
