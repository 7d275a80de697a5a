import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { BASE_URL: address, NODE_ENV: mode } = process.env;
const isPublic = address && !/^https?:\/\/(localhost|127\.|\[::1\])/.test(address);
if (mode !== "production" && !isPublic) process.env.STANDIN ||= "1";
await import("../server/dist/main.js");
