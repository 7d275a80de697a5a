/** The client of the requests bench, in a process of its own. */
import { answerParent } from "./child.mjs";
import { sendRequests } from "./raw-http.mjs";

answerParent({
  open: () => undefined,
  run: ({ requests, ...others }) => sendRequests({ ...others, requests: requests.map((one) => Buffer.from(one)) }),
  close: () => undefined,
});
