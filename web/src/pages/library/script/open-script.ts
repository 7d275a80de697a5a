import { createContext, use } from "react";
import type { Output } from "@reelscript/client/core";
import type { Player } from "./player.tsx";
import type { Moment, ScriptMoments } from "./script-moments.ts";

interface OpenScript {
  readonly script: Output<"getScript">;
  readonly moments: ScriptMoments;
  /** The moment that plays, or that the address asks for. */
  readonly current: Pick<Moment, "line" | "word"> | undefined;
  /** The search that led here from the library; found again here. */
  readonly query: string | undefined;
  readonly player: Player;
  readonly choose: (second: number) => void;
}

export const OpenScriptContext = createContext<OpenScript | undefined>(undefined);

export const useOpenScript = (): OpenScript => use(OpenScriptContext)!; // safe: the page of a script provides it
