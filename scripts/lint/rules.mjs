import { namedValues } from "./named-values.mjs";
import { nouns } from "./nouns.mjs";
import { separateStatements } from "./separate-statements.mjs";
import { writtenTypes } from "./written-types.mjs";

export default {
  meta: { name: "reelscript" },
  rules: {
    "named-values": namedValues,
    nouns,
    "separate-statements": separateStatements,
    "written-types": writtenTypes,
  },
};
