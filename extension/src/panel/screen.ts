import type { Usage } from "@reelscript/contract";
import type { FromPage, FromPanel } from "../messages/page-messages.ts";
import type { Connection } from "../service/connection.ts";

/** The panel shows one screen for each kind of page on the platform. */
export interface Screen {
  readonly node: HTMLElement;
  hear(message: FromPage): void;
  /** True while work is running that would be lost if another screen replaced it. */
  isBusy(): boolean;
  leave(): void;
}

export interface PanelParts {
  readonly connection: Connection;
  tell(message: FromPanel): void;
  usage(): Usage | undefined;
  /** Called after something that may have used up a quota. */
  renewUsage(): Promise<void>;
}
