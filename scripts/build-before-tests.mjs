import { build } from "./build.mjs";

export function setup() {
  const failure = build();
  if (failure !== undefined) throw new Error(failure);
}
