export interface MethodTable {
  /** `path` as the router writes it: `/scripts/:id`, `/files/*`. GET brings HEAD along. */
  add(path: string, method: string): void;
  /** Takes the paths below one out of a wider one: nothing is there but what is added itself. */
  reserve(path: string): void;
  /** The methods that the path of a request takes; `undefined` when there is nothing at it. */
  methodsAt(url: string): readonly string[] | undefined;
}

/** Knows which methods a path takes, so that a wrong one is told apart from a wrong path. */
export function createMethodTable(): MethodTable {
  const table = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  const lineOf = (path: string): { readonly methods: Set<string> } => {
    const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll(/:\w+/g, "[^/]+")}$`);
    return table.get(path) ?? table.set(path, { pattern, methods: new Set() }).get(path)!;
  };
  return {
    add(path, method) {
      const { methods } = lineOf(path);
      methods.add(method);
      if (method === "GET") methods.add("HEAD");
    },
    reserve: (path) => void lineOf(path),
    methodsAt(url) {
      const [path = ""] = url.split("?", 1);
      const matching = [...table].filter(([, { pattern }]) => pattern.test(path));
      const [, found] = matching.find(([written]) => !written.endsWith("*")) ?? matching[0] ?? [];
      return found === undefined || found.methods.size === 0 ? undefined : [...found.methods];
    },
  };
}
