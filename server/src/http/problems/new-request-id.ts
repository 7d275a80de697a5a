import { takeRandomBytes } from "../../callers/random-bytes.ts";

const idBytes = 12;

export const newRequestId = (): string => `req_${takeRandomBytes(idBytes).toString("hex")}`;
