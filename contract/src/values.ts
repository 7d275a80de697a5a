/** What a page can take from the contract without the schemas: none of these files imports zod. */
export {
  peopleBasePath,
  restBasePath,
  fieldPlace,
  fieldsInPath,
  fillPath,
  hasBody,
  type FieldPlace,
  type RequestShape,
} from "./values/field-place.ts";
export { bioHandleLimits, bioLimits, correctionLimits, mostDeleted } from "./values/limits.ts";
export { bioPresets } from "./values/bio-presets.ts";
export {
  comparedBy,
  comparedGroup,
  comparisonWords,
  fewestReels,
  noClearDifference,
  reportSentences,
} from "./values/comparison-words.ts";
export { csv } from "./values/csv.ts";
export { differences } from "./values/differences.ts";
export { dayNames } from "./values/day-names.ts";
export {
  errorReasons,
  reasonNamed,
  reasonNames,
  type ErrorReason,
  type ReasonOf,
  errors,
  ServiceError,
  type ErrorCode,
  type InputProblem,
  type InvalidRequestStatus,
} from "./values/service-error.ts";
export { clock } from "./values/clock.ts";
export { hasUserName, isLink } from "./values/is-link.ts";
export { isSameConfirmation } from "./values/is-same-confirmation.ts";
export { wholeCharacters } from "./values/whole-characters.ts";
export { hostedImageId, hostedImagePath } from "./values/hosted-image.ts";
export { momentOfInstagramId, instagramLinks } from "./values/instagram-links.ts";
export {
  languageCodes,
  languages,
  supportedLanguage,
  type Language,
  languageWarning,
  recognitionQualities,
  type RecognitionQuality,
} from "./values/languages.ts";
export { keysPerAccount, plans, shareLinksPerAccount, webhooksPerAccount } from "./values/plans.ts";
export {
  contrastOf,
  contrastProblem,
  leastContrast,
  mixOf,
  readableGround,
  readableInk,
} from "./values/readable-ink.ts";
export { tiktokLinks } from "./values/tiktok-links.ts";
export { youtubeLinks } from "./values/youtube-links.ts";
export { scriptLengthNames, scriptLengthOf, type ScriptLength } from "./values/script-lengths.ts";
export { platformNames, type LinkGrammar, type PlatformName, type ReelLink } from "./values/link-grammar.ts";
export { grammarAt, linkGrammars, readLink } from "./values/link-grammars.ts";
export { gelOf } from "./values/gel-of.ts";
export { mark, markFile, markShapes, themedMarkFile, tokenSheet, withTokens } from "./values/tokens.ts";
export { sampleScript } from "./values/sample-script.ts";
