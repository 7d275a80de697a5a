import { accounts } from "./accounts.ts";
import { billing } from "./billing.ts";
import { bio } from "./bio.ts";
import { calls } from "./calls.ts";
import { library } from "./library.ts";
import { pictures } from "./pictures.ts";
import { queue } from "./queue.ts";
import { transcripts } from "./transcripts.ts";
import { webhooks } from "./webhooks.ts";

/** Each area with its tables, after those whose tables it needs. */
export const baseline = [accounts, calls, billing, transcripts, queue, library, bio, pictures, webhooks].join("");
