// By its file, because the contract's index would bring all of its schemas along.
export { contrastOf, contrastProblem, mixOf, readableGround } from "../../../../../contract/src/readable-ink.ts";
