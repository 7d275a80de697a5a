import type { Json } from "../../run/json-schema.ts";

interface Place {
  /** The name of the component, unless another one has it. */
  readonly name: string;
  readonly holder: Record<string, Json>;
  readonly key: string;
}

interface Described {
  parameters?: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
}

/** Moves parameters, bodies and answers that several operations have alike to the components. */
export function shareRepeated(
  paths: Readonly<Record<string, Json>>,
): Record<"parameters" | "requestBodies" | "responses", Json> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Described[]);
  const placesIn = (held: object, nameOf: (key: string, value: Json) => string): Place[] => {
    const holder = held as Record<string, Json>;
    return Object.entries(holder).map(([key, value]) => ({ name: nameOf(key, value), holder, key }));
  };
  return {
    parameters: share(
      operations.flatMap(({ parameters = [] }) => placesIn(parameters, (_, { name }) => String(name))),
      "parameters",
    ),
    requestBodies: share(
      operations.flatMap((operation) => placesIn(operation, () => "body").filter(({ key }) => key === "requestBody")),
      "requestBodies",
    ),
    responses: share(
      operations.flatMap(({ responses }) =>
        placesIn(responses, (status) => status).filter(({ holder, key }) => !("$ref" in holder[key]!)),
      ),
      "responses",
    ),
  };
}

function share(places: readonly Place[], kind: "parameters" | "requestBodies" | "responses"): Json {
  const components: Json = {};
  const alike = new Map<string, Place[]>();
  for (const place of places) {
    const text = JSON.stringify(place.holder[place.key]);
    alike.set(text, [...(alike.get(text) ?? []), place]);
  }
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined || group.length === 1) continue;
    let { name } = first;
    for (let variant = 2; name in components; variant += 1) name = `${first.name}-${variant}`;
    components[name] = first.holder[first.key];
    for (const { holder, key } of group) holder[key] = { $ref: `#/components/${kind}/${name}` };
  }
  return components;
}
