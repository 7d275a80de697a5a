import { languageCodes, type Language } from "@reelscript/contract";
import { AdminError } from "./admin-error.ts";

/** The value of `--language`. Throws `AdminError` when it isn't transcribed. */
export function readLanguage(code: string | undefined): Language | undefined {
  if (code === undefined) return undefined;
  const known = languageCodes.find((one) => one === code);
  if (known !== undefined) return known;
  throw new AdminError("usage", `--language must be one of ${languageCodes.join(", ")}`);
}
