import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
const { isProduction } = await import("../server/dist/settings/is-production.js");
if (!isProduction(process.env)) process.env.STANDIN ||= "1";
if (process.env.npm_lifecycle_event === "start") endWithShell();
await import("../server/bin/reelscript-service.js");

/** npm sends SIGTERM to the shell between it and this process. Some shells exit without passing it on. */
function endWithShell() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 250);
  watch.unref();
}
