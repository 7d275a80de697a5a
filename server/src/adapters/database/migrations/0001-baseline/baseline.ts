import { accounts } from "./accounts.ts";
import { billing } from "./billing.ts";
import { bio } from "./bio.ts";
import { calls } from "./calls.ts";
import { library } from "./library.ts";
import { pictures } from "./pictures.ts";
import { queue } from "./queue.ts";
import { queueFunctions } from "./queue-functions.ts";
import { transcripts } from "./transcripts.ts";
import { webhooks } from "./webhooks.ts";

/** Each after those whose tables it references. A table is followed by its functions and triggers. */
export const baseline = [
  accounts,
  calls,
  billing,
  transcripts,
  queue,
  queueFunctions,
  library,
  bio,
  pictures,
  webhooks,
].join("");
