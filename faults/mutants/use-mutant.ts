/** Loaded before the program, so that one part of it is broken on purpose. */
import { register } from "node:module";
import { mutants } from "./mutants.ts";

const mutant = mutants.find(({ name }) => name === process.env.FAULTS_MUTANT);
const hooks = `
  const { file, from, to } = ${JSON.stringify(mutant)};
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!url.endsWith("/server/dist/" + file)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(from)) throw new Error("nothing to break in " + file);
    return { ...loaded, source: source.replaceAll(from, to) };
  }`;
// The service's own children have another environment.
if (mutant) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
