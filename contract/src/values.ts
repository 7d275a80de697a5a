/** What a page can take from the contract without the schemas: none of these files imports zod. */
export { peopleBasePath, restBasePath } from "./values/base-paths.ts";
export { bioHandleLimits, bioLimits } from "./values/bio-limits.ts";
export { bioPresets } from "./values/bio-presets.ts";
export {
  comparedBy,
  comparedGroup,
  comparisonWords,
  fewestReels,
  noClearDifference,
  reportSentences,
} from "./values/comparison-words.ts";
export { correctionLimits } from "./values/correction-limits.ts";
export { dayNames } from "./values/day-names.ts";
export { errorReasons, reasonNamed, type ErrorReason } from "./values/error-reasons.ts";
export {
  fieldPlace,
  fieldsInPath,
  fillPath,
  hasBody,
  type FieldPlace,
  type RequestShape,
} from "./values/field-place.ts";
export { hasUserName } from "./values/has-user-name.ts";
export { hostedImageId, hostedImagePath } from "./values/hosted-image.ts";
export { momentOfInstagramId } from "./values/instagram-id.ts";
export { instagramLinks } from "./values/instagram-links.ts";
export { languageCodes, languages, supportedLanguage, type Language } from "./values/languages.ts";
export { keysPerAccount, plans, shareLinksPerAccount, webhooksPerAccount } from "./values/plans.ts";
export {
  contrastOf,
  contrastProblem,
  leastContrast,
  mixOf,
  readableGround,
  readableInk,
} from "./values/readable-ink.ts";
export { scriptLengthNames, scriptLengthOf, type ScriptLength } from "./values/script-lengths.ts";
export { errors, ServiceError, type ErrorCode, type InvalidRequestStatus } from "./values/service-error.ts";
export type { LinkGrammar, ReelLink } from "./values/link-grammar.ts";
export { linkGrammars, readLink } from "./values/link-grammars.ts";
export { mostDeleted } from "./values/most-deleted.ts";
