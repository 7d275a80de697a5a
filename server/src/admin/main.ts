import { takeEnvironment } from "../start/take-environment.ts";
import { operatorAccess } from "./operator-access.ts";
import { runAdmin } from "./run-admin.ts";

process.exitCode = await runAdmin(
  process.argv.slice(2),
  // oxlint-disable-next-line node/no-process-env -- the operator's program is an entry of its own
  () => operatorAccess(takeEnvironment(process.env).environment, process.stderr),
  process,
);
