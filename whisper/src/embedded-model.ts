import { fileURLToPath } from "node:url";

/** Where the Whisper that comes with this package is: multilingual base, see the folder's licence and checksums. */
export const embeddedModelDirectory: string = fileURLToPath(new URL("../models/whisper-base", import.meta.url));
