import type { Plugin } from "vite";

/** A module that is made while the pages are built: `virtual:NAME`, with what `valuesOf` gives as its exports. */
export function virtualModule(name: string, valuesOf: () => Readonly<Record<string, unknown>>): Plugin {
  const id = `virtual:${name}`;
  const resolvedId = `\0${id}`;
  return {
    name,
    resolveId: (source) => (source === id ? resolvedId : undefined),
    load: (source) =>
      source === resolvedId
        ? Object.entries(valuesOf())
            .map(([exported, value]) => `export const ${exported} = ${JSON.stringify(value)};`)
            .join("\n")
        : undefined,
  };
}
