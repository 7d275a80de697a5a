import { languageCodes, type Language } from "@reelscript/contract";
import { AdminError } from "./admin-error.ts";

/** The value of `--language`. Throws `AdminError` if that language isn't transcribed. */
export function readLanguage(code: string | undefined): Language | undefined {
  if (code === undefined) return undefined;
  const supported = languageCodes.find((one) => one === code);
  if (supported !== undefined) return supported;
  throw new AdminError("usage", `--language must be one of ${languageCodes.join(", ")}`);
}
