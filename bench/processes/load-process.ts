/** The client of the requests bench, in a process of its own. */
import { answerParent } from "./child.ts";
import { sendRequests } from "./raw-http.ts";

const methods = { open: () => undefined, run: sendRequests, close: () => undefined };
export type LoadMethods = typeof methods;
answerParent(methods);
