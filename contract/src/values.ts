/** What of the contract is no schema, so that a page can take it along without any: none of these files imports zod. */
export { bioHandleLimits, bioLimits } from "./bio-limits.ts";
export { bioPresets } from "./bio-presets.ts";
export { dayNames } from "./day-names.ts";
export { languageCodes, languages, supportedLanguage, type Language } from "./languages.ts";
export { keysPerAccount, plans } from "./plans.ts";
export { contrastOf, contrastProblem, leastContrast, mixOf, readableGround, readableInk } from "./readable-ink.ts";
