import * as operatorRequests from "./operator-requests.ts";
import * as requests from "./requests.ts";
import * as summaries from "./summaries.ts";

const computed = { requests, "operator-requests": operatorRequests, summaries };

/** A Vite plugin that replaces expressions computed from the schemas with their values, so that a browser gets no schema. */
export const inlineRequests = () => ({
  name: "inline-requests",
  load(id: string): string | undefined {
    const name = /[\\/]contract[\\/](?:src|dist)[\\/]([\w-]+)\.[jt]s$/.exec(id)?.[1] ?? "";
    return name in computed ? valuesOnly(computed[name as keyof typeof computed]) : undefined;
  },
});

/** A module that contains these values and imports nothing. */
export const valuesOnly = (exported: Readonly<Record<string, unknown>>): string =>
  Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
    .join("\n");
