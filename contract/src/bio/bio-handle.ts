import * as z from "zod";
import { bioHandleLimits } from "../values/limits.ts";
import { namesService, outlineOf } from "./look-alikes.ts";

const shape = /^[a-z0-9]+(?:[._][a-z0-9]+)*$/;

/** Names of this service and of its addresses, and names under which a stranger could pose as us. */
const reserved: ReadonlySet<string> = new Set(
  `about abuse access account accounts admin administrator ads advertise affiliate affiliates agent agents all alerts
  analytics android announcement announcements anonymous api apidocs app apple apps archive assets auth authorize avatar
  backup banned billing bio blog bot bots brand business callback cancel careers cart cdn changelog chat checkout claim
  cli client community compliance config connect console contact contacts contact.us cookie cookies copyright creator
  creators css customer dashboard data delete demo deny dev developer developers development discover dmca docs
  documentation domain download downloads edit editor email employee employees enterprise error errors everyone example
  explore export extension facebook faq favicon features feed feedback files finance follow forbidden forgot forum
  founder free ftp git github google guest guide guides handle health healthz help helpdesk hobby home host hostmaster
  html http https icon icons image images imap img inbox index info insights instagram install invite invoice ios issues
  jobs join json keys kids law learn legal library license link links list llms local localhost log login logout logs
  mail mailer mailerdaemon mailing manage marketing mcp me media member members message messages meta metrics mobile
  moderator moderators mod moderation money news newsletter nobody none noreply notifications null oauth official oidc
  openapi openid operator order orders owner page pages partner partners password pay payment payments phishing plan
  plans platform policy popular portal postmaster premium press preview pricing privacy private pro profile profiles
  promo public purchase query recover redirect reel reels reelscript reelscripts refund register registration release
  report reports reset rest robots root rss rules safe safety sale sales save script scripts search secure security
  selftest server service services session sessions settings setup share shop signin signout signup site sitemap sites
  smtp source spam sql ssl staff staging standin static statistics stats status store stripe studio subscribe
  subscription subscriptions support survey svc sysadmin sysop system team teams telegram terms test tests threads
  tiktok token tokens tos tour transcribe transcript transcription transcriptions trust twitter undefined unsubscribe
  update updates upgrade upload uploads usage user username users verified verify video videos void warning web webhook
  webhooks webmaster website wellknown whatsapp widget wiki www xml youtube`
    .split(/\s+/)
    .map(outlineOf),
);

/** True if nobody may have a handle, because it reads like a reserved word or contains the service's name. */
export const isReservedHandle = (handle: string): boolean => reserved.has(outlineOf(handle)) || namesService(handle);

/** Accepts any case, because handles are compared in lower case. */
export const BioHandle = z
  .string()
  .max(200)
  .toLowerCase()
  .refine(
    (handle) =>
      handle.length >= bioHandleLimits.shortest && handle.length <= bioHandleLimits.longest && shape.test(handle),
    {
      error: `must be ${bioHandleLimits.shortest} to ${bioHandleLimits.longest} characters of a to z, 0 to 9, dot and underscore, begin and end with a letter or digit, and not have dots or underscores side by side`,
    },
  );
