import { namedValues } from "./named-values.mjs";
import { writtenTypes } from "./written-types.mjs";

export default {
  meta: { name: "reelscript" },
  rules: { "named-values": namedValues, "written-types": writtenTypes },
};
