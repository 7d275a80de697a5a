import type { Json } from "../../run/json-schema.ts";

interface Place {
  /** The name of the component, unless another one has it. */
  readonly name: string;
  readonly value: Json;
  readonly replace: (reference: Json) => void;
}

/** Moves parameters, bodies and answers that several operations have alike to the components. */
export function shareRepeated(paths: Readonly<Record<string, Json>>): {
  readonly parameters: Json;
  readonly requestBodies: Json;
  readonly responses: Json;
} {
  const parameters: Place[] = [];
  const requestBodies: Place[] = [];
  const responses: Place[] = [];
  for (const item of Object.values(paths))
    for (const operation of Object.values(item) as {
      parameters?: Json[];
      requestBody?: Json;
      responses: Record<string, Json>;
    }[]) {
      for (const [index, value] of (operation.parameters ?? []).entries())
        parameters.push({
          name: value.name as string,
          value,
          replace: (reference) => (operation.parameters![index] = reference),
        });
      if (operation.requestBody !== undefined)
        requestBodies.push({
          name: "body",
          value: operation.requestBody,
          replace: (reference) => (operation.requestBody = reference),
        });
      for (const [status, value] of Object.entries(operation.responses))
        if (!("$ref" in value))
          responses.push({
            name: status,
            value,
            replace: (reference) => (operation.responses[status] = reference),
          });
    }
  return {
    parameters: share(parameters, "parameters"),
    requestBodies: share(requestBodies, "requestBodies"),
    responses: share(responses, "responses"),
  };
}

function share(places: readonly Place[], kind: "parameters" | "requestBodies" | "responses"): Json {
  const components: Json = {};
  const alike = new Map<string, Place[]>();
  for (const place of places) {
    const text = JSON.stringify(place.value);
    alike.set(text, [...(alike.get(text) ?? []), place]);
  }
  for (const group of alike.values()) {
    const [first] = group;
    if (first === undefined || group.length === 1) continue;
    let { name } = first;
    for (let variant = 2; name in components; variant += 1) name = `${first.name}-${variant}`;
    components[name] = first.value;
    for (const { replace } of group) replace({ $ref: `#/components/${kind}/${name}` });
  }
  return components;
}
