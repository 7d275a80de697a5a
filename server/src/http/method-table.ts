import type { FastifyInstance } from "fastify";

export interface MethodTable {
  /** Takes the paths below one out of a wider one: nothing is there but what has a route of its own. */
  reserve(path: string): void;
  /** The methods that the path of a request takes; `undefined` when there is nothing at it. */
  methodsAt(url: string): readonly string[] | undefined;
}

/** Records the methods of each path, from all routes added later, so that a wrong method differs from a wrong path. */
export function createMethodTable(app: FastifyInstance): MethodTable {
  const table = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  const lineOf = (path: string): { readonly methods: Set<string> } => {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll(/:\w+/g, "[^/]+")}$`);
    return table.get(path) ?? table.set(path, { pattern, methods: new Set() }).get(path)!;
  };
  app.addHook("onRoute", ({ url, method }) => {
    const { methods } = lineOf(url);
    for (const one of [method].flat()) methods.add(one);
  });
  return {
    reserve: (path) => void lineOf(path),
    methodsAt(url) {
      const [path = ""] = url.split("?", 1);
      const matching = [...table].filter(([, { pattern }]) => pattern.test(path));
      const narrowestFirst = matching.toSorted(([one], [other]) => other.length - one.length);
      const [, route] = matching.find(([written]) => !written.endsWith("*")) ?? narrowestFirst[0] ?? [];
      return route === undefined || route.methods.size === 0 ? undefined : [...route.methods];
    },
  };
}
