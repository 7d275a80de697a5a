import type { AllOperations } from "@reelscript/contract";
import type { ShareLink } from "../ports.ts";
import { beginningOf } from "./beginning-of.ts";

type Described = AllOperations["createShareLink"]["output"]["_zod"]["output"]["link"];

export function describeShareLink({ id, token, createdAt, script }: ShareLink, baseUrl: string): Described {
  const { reel, text, language } = script.transcript;
  return {
    id,
    url: `${baseUrl}/s/${token}`,
    scriptId: script.id,
    ...(reel.author.handle !== null && { account: reel.author.handle }),
    beginning: beginningOf(text),
    language,
    createdAt: createdAt.toISOString(),
  };
}
