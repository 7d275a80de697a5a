import { namedValues } from "./named-values.mjs";
import { nouns } from "./nouns.mjs";
import { writtenTypes } from "./written-types.mjs";

export default {
  meta: { name: "reelscript" },
  rules: { "named-values": namedValues, nouns, "written-types": writtenTypes },
};
