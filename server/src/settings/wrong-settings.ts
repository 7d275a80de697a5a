import type * as z from "zod";
import { type Settings, wrongBilling, wrongMail, wrongObjectStorage, wrongSignIn } from "./environment-settings.ts";
import { isLoopback } from "./is-loopback.ts";
import { signsOfProduction } from "./is-production.ts";
import { wrongLanguageEndpoints } from "./language-endpoints.ts";

type Given = Readonly<Record<string, string | undefined>>;
type Read = z.output<typeof Settings>;

/** Finds settings that are valid one by one but not together. */
export function wrongTogether(settings: Read, given: Given): string[] {
  const wrong: string[] = [];
  if (settings.ROLE !== "all" && !settings.DATABASE_URL)
    wrong.push(`ROLE: ${settings.ROLE} needs DATABASE_URL; the embedded database belongs to one process`);
  if (settings.DATABASE_READ_URL && !settings.DATABASE_URL)
    wrong.push("DATABASE_READ_URL: a replica needs DATABASE_URL, the server that it follows");
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_BASE_URL)
    wrong.push("OPENAI_BASE_URL: TRANSCRIBER=openai needs the endpoint's base URL, such as https://api.example/v1");
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_API_KEY)
    wrong.push("OPENAI_API_KEY: TRANSCRIBER=openai needs the endpoint's key");
  wrong.push(...wrongLanguageEndpoints(given));
  wrong.push(...wrongObjectStorage(settings));
  wrong.push(...wrongMail(settings));
  if (settings.METRICS_PORT && settings.METRICS_PORT === settings.PORT)
    wrong.push("METRICS_PORT: metrics need a port of their own, and PORT is the same");
  return wrong;
}

/** Finds mistakes in the settings of a process that serves people or programs. */
export function wrongOfDoors(settings: Read, given: Given, production: boolean): string[] {
  const wrong: string[] = [];
  const signs = signsOfProduction(given);
  const elsewhere = signs.filter(({ isElsewhere }) => isElsewhere).map(({ setting }) => setting);
  if (settings.NODE_ENV === "development" && elsewhere.length > 0)
    wrong.push(
      `NODE_ENV: development is for one machine, and ${elsewhere.join(", ")} names others; use NODE_ENV=production, or addresses of this machine`,
    );
  if (production && settings.STANDIN)
    wrong.push("STANDIN: the stand-in of the platform never runs in production; unset it");
  if (production && !settings.BASE_URL)
    wrong.push("BASE_URL: production needs the address that users see, such as https://reelscript.example");
  if (production && settings.BASE_URL?.startsWith("http:") && !isLoopback(settings.BASE_URL))
    wrong.push("BASE_URL: production needs an https address; over plain http anybody on the way could take a session");
  wrong.push(...wrongSignIn(settings, production));
  wrong.push(...wrongBilling(settings, production));
  if (wrong.length > 0 && production && settings.NODE_ENV === undefined)
    wrong.push(
      `This is production because of ${signs.map(({ setting }) => setting).join(", ")}. To try it on this machine alone, set NODE_ENV=development.`,
    );
  return wrong;
}
