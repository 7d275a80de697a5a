import { createContext, use, type ComponentProps } from "react";
import type { Output } from "@reelscript/client/core";
import type { ReelPlayer } from "@reelscript/contract/values";
import type { Moment, ScriptMoments } from "./script-moments.ts";

/** The reel beside its transcript, and what the page may do with it. */
export interface Player {
  /** `undefined` when nothing here can play the reel. */
  readonly source: ReelPlayer | undefined;
  /** True once somebody has opened it; before that nothing of the reel is loaded. */
  readonly isOpen: boolean;
  readonly isPlaying: boolean;
  readonly hasFailed: boolean;
  /** The moment that plays; `undefined` until it was played. */
  readonly moment: Moment | undefined;
  /** The second to begin at. */
  readonly from: number;
  /** Opens or closes an embedded player; opens, starts or pauses a video. */
  readonly toggle: () => void;
  readonly pause: () => void;
  /** Does nothing until it is open. */
  readonly seek: (second: number) => void;
  /** The props of the video element. */
  readonly video: ComponentProps<"video">;
}

interface OpenScript {
  readonly script: Output<"getScript">;
  readonly moments: ScriptMoments;
  /** The moment that plays, or that the address asks for. */
  readonly current: { readonly line: number; readonly word?: number } | undefined;
  /** The search that led here from the library; found again here. */
  readonly query: string | undefined;
  readonly player: Player;
  readonly choose: (second: number) => void;
}

export const OpenScriptContext = createContext<OpenScript | undefined>(undefined);

export const useOpenScript = (): OpenScript => use(OpenScriptContext)!; // safe: the page of a script provides it
