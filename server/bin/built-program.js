import { existsSync } from "node:fs";

/**
 * The URL of a program: bundled, which is read in half the time, or its modules where nothing bundled them; `undefined`
 * where it isn't built. `bundle` is its name among the bundles, `modules` its file in `dist/`.
 * @param {{ bundle: string, modules: string }} names
 */
export function builtProgram({ bundle, modules }) {
  const places = [`../dist/bundles/${bundle}.js`, `../dist/${modules}`].map((place) => new URL(place, import.meta.url));
  return places.find((place) => existsSync(place))?.href;
}
