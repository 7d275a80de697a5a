import type { IconName } from "../../components/icon.tsx";

/** Something that the palette offers. */
export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  /** Beside the label: whose reel it is. */
  readonly hint?: string | undefined;
  readonly icon: IconName;
  /** An address within the dashboard, after `/app`. */
  readonly to?: string;
  /** What it does, where it leads to no page. */
  readonly run?: () => void;
  readonly search?: Readonly<Record<string, string>>;
}
