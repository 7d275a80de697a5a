/** Loaded before the program, so that it takes the stand-in that runs already and starts none of its own. */
import { register } from "node:module";

const elsewhere = new URL("standin-elsewhere.js", import.meta.url).href;
const hooks = `
  export const resolve = (name, context, next) =>
    name === "@reelscript/platform-standin"
      ? { url: ${JSON.stringify(elsewhere)}, shortCircuit: true }
      : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
