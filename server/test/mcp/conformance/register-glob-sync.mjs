import { register } from "node:module";

register("./glob-sync-hook.mjs", import.meta.url);
