import { fileURLToPath } from "node:url";

/** The folder of the repository, seen from where this is built to. */
export const root = fileURLToPath(new URL("../../", import.meta.url));
