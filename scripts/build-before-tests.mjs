import { buildExtension } from "./build-extension.mjs";
import { build } from "./build.mjs";

export function setup() {
  const failure = build({ programs: true }) ?? buildExtension();
  if (failure !== undefined) throw new Error(failure);
}
