import { fileURLToPath } from "node:url";

/** What the embedded model is called where models are chosen. */
export const embeddedModelName = "whisper-base";

/** Where the Whisper that comes with this package is: multilingual base, see the folder's license and checksums. */
export const embeddedModelDirectory: string = fileURLToPath(new URL("../models/whisper-base", import.meta.url));
