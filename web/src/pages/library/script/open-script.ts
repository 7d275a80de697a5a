import { createContext, use, type ComponentProps } from "react";
import type { Output } from "@reelscript/client/core";
import type { ReelPlayer } from "@reelscript/contract/values";
import type { Moment, ScriptMoments } from "./script-moments.ts";

/** The reel next to its transcript, and how the page can control it. */
export interface Player {
  /** `undefined` if nothing here can play the reel. */
  readonly source: ReelPlayer | undefined;
  /** True once somebody has opened it; until then nothing of the reel is loaded. */
  readonly isOpen: boolean;
  readonly isPlaying: boolean;
  readonly hasFailed: boolean;
  /** The current moment; `undefined` until the reel was played. */
  readonly moment: Moment | undefined;
  /** The second at which playback begins. */
  readonly from: number;
  /** Opens or closes an embedded player; opens, starts or pauses a video. */
  readonly toggle: () => void;
  readonly pause: () => void;
  /** Does nothing until the player is open. */
  readonly seek: (second: number) => void;
  readonly video: ComponentProps<"video">;
}

interface OpenScript {
  readonly script: Output<"getScript">;
  readonly moments: ScriptMoments;
  /** The moment that is playing, or that the address names. */
  readonly current: { readonly line: number; readonly word?: number } | undefined;
  /** The library search that led here, whose words are found again in the script. */
  readonly query: string | undefined;
  readonly player: Player;
  readonly choose: (second: number) => void;
}

export const OpenScriptContext = createContext<OpenScript | undefined>(undefined);

export const useOpenScript = (): OpenScript => use(OpenScriptContext)!; // safe: the page of a script provides it
