import type { BioContent } from "@reelscript/contract";
import type { Design } from "./design.ts";
import { gel } from "./gel.ts";
import { matinee } from "./matinee.ts";
import { meadow } from "./meadow.ts";
import { paper } from "./paper.ts";
import { rose } from "./rose.ts";
import { safelight } from "./safelight.ts";
import { subtitle } from "./subtitle.ts";
import { tape } from "./tape.ts";

export const designs: Readonly<Record<BioContent["theme"]["preset"], Design>> = {
  light: paper,
  dark: subtitle,
  warm: matinee,
  cool: gel,
  safelight,
  meadow,
  tape,
  rose,
};
