import { STATUS_CODES as statusTexts } from "node:http";
import type { Json } from "../../run/schemas.ts";

interface Occurrence {
  /** The name of the component, unless what more operations have is called so. */
  readonly name: string;
  readonly operation: string;
  readonly holder: Record<string, Json>;
  readonly key: string;
}

interface Described {
  operationId: string;
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

/**
 * Moves parameters, bodies and answers that several operations have alike to the components. Their names are words without
 * signs or numbers: generators of clients make names of types of them.
 */
export function shareRepeated(
  paths: Readonly<Record<string, Json>>,
): Record<"parameters" | "requestBodies" | "responses", Json> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Described[]);
  const occurrencesIn = (
    { operationId }: Described,
    held: object,
    nameOf: (key: string, value: Json) => string,
  ): Occurrence[] => {
    const holder = held as Record<string, Json>;
    const operation = inWords(operationId);
    return Object.entries(holder).map(([key, value]) => ({ name: nameOf(key, value), operation, holder, key }));
  };
  return {
    parameters: share(
      operations.flatMap((operation) =>
        occurrencesIn(operation, operation.parameters ?? [], (_, { name }) => inWords(String(name))),
      ),
      "parameters",
    ),
    requestBodies: share(
      operations.flatMap((operation) =>
        occurrencesIn(operation, operation, () => "Body").filter(({ key }) => key === "requestBody"),
      ),
      "requestBodies",
    ),
    responses: share(
      operations.flatMap((operation) => occurrencesIn(operation, operation.responses, nameOfStatus)),
      "responses",
    ),
  };
}

/** Writes a name as a type's: `if-match` becomes `IfMatch`. */
export const inWords = (name: string): string =>
  name.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase());

function nameOfStatus(status: string): string {
  if (status === "200") return "Answer";
  return status === "default" ? "AnyError" : inWords(statusTexts[status] ?? "");
}

function share(occurrences: readonly Occurrence[], kind: "parameters" | "requestBodies" | "responses"): Json {
  const components: Json = {};
  const alike = new Map<string, Occurrence[]>();
  for (const occurrence of occurrences) {
    const text = JSON.stringify(occurrence.holder[occurrence.key]);
    alike.set(text, [...(alike.get(text) ?? []), occurrence]);
  }
  const repeated = [...alike.values()].filter(({ length }) => length > 1);
  for (const group of repeated.toSorted((one, other) => other.length - one.length)) {
    const [first] = group;
    if (first === undefined) continue;
    const name = first.name in components ? `${first.name}Of${first.operation}` : first.name;
    if (name in components) throw new Error(`Two components would be called ${name}.`);
    components[name] = first.holder[first.key];
    for (const { holder, key } of group) holder[key] = { $ref: `#/components/${kind}/${name}` };
  }
  return components;
}
