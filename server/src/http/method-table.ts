export interface MethodTable {
  /** `path` as the router writes it: `/scripts/:id`. GET brings HEAD along. */
  add(path: string, method: string): void;
  /** The methods that the path of a request takes; `undefined` when there is nothing at it. */
  methodsAt(url: string): readonly string[] | undefined;
}

/** Knows which methods a path takes, so that a wrong one is told apart from a wrong path. */
export function createMethodTable(): MethodTable {
  const table = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  return {
    add(path, method) {
      const pattern = new RegExp(`^${path.replaceAll(/[.]/g, "\\.").replaceAll(/:\w+/g, "[^/]+")}$`);
      const { methods } = table.get(path) ?? table.set(path, { pattern, methods: new Set() }).get(path)!;
      methods.add(method);
      if (method === "GET") methods.add("HEAD");
    },
    methodsAt(url) {
      const [path = ""] = url.split("?", 1);
      for (const { pattern, methods } of table.values()) if (pattern.test(path)) return [...methods];
      return undefined;
    },
  };
}
