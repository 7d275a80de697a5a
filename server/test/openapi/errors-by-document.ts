import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export type ErrorsByDocument = (pointer: string, value: unknown) => string;

/**
 * Says why a value isn't what the schema at a JSON pointer of an OpenAPI document says, as `errorsAt("/components/schemas/Reel", value)`; empty
 * when it is. Each schema is compiled once, because that takes a hundred times as long as to look at a value.
 */
export function createErrorsByDocument(document: object): ErrorsByDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "document", ...document });
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, validate);
    return validate(value) ? "" : `${pointer} ${ajv.errorsText(validate.errors)}`;
  };
}
