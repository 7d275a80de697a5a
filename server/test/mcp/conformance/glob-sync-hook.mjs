/** Gives the conformance suite's `fs` import the one name that Node 20 does not have; the suite itself never calls it. */
export async function resolve(specifier, context, next) {
  const isFileSystem = specifier === "fs" || specifier === "node:fs";
  if (!isFileSystem || !context.parentURL?.includes("/@modelcontextprotocol/conformance/"))
    return next(specifier, context);
  const source = [
    'export * from "node:fs";',
    'export { default } from "node:fs";',
    'export const globSync = () => { throw new Error("globSync needs Node 22"); };',
  ].join("\n");
  return { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true };
}
