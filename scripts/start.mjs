import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
if (process.env.NODE_ENV !== "production") process.env.STANDIN ||= "1";
await import("../server/dist/main.js");
