import { fileURLToPath } from "node:url";

/** The repository's folder, relative to the compiled file. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
