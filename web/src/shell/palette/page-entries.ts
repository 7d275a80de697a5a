import { leave } from "../sign-out-button.tsx";
import { chooseTheme } from "../theme.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const pages: readonly (Omit<PaletteEntry, "id"> & { readonly alsoCalled?: string })[] = [
  { label: "Library", icon: "library", to: "/library", alsoCalled: "scripts transcripts search" },
  { label: "Transcribe", icon: "wave", to: "/transcribe", alsoCalled: "new reel paste link" },
  { label: "Reports", icon: "chart", to: "/reports", alsoCalled: "competitors accounts" },
  { label: "Compare accounts", icon: "chart", to: "/reports/compare", alsoCalled: "reports competitors" },
  { label: "Bio page", icon: "page", to: "/bio", alsoCalled: "links profile" },
  { label: "Bio page theme", icon: "page", to: "/bio", search: { tab: "look" }, alsoCalled: "theme design" },
  { label: "Analytics", icon: "trend", to: "/analytics", alsoCalled: "views clicks visits" },
  { label: "Guides", icon: "book", to: "/guides", alsoCalled: "help how to" },
  { label: "Usage and plan", icon: "gauge", to: "/usage", alsoCalled: "quota billing payment upgrade" },
  { label: "API keys", icon: "key", to: "/settings/keys", alsoCalled: "token mcp rest" },
  { label: "Webhooks", icon: "forward", to: "/settings/webhooks", alsoCalled: "endpoints events notifications" },
  { label: "Shared scripts", icon: "open", to: "/settings/shared", alsoCalled: "links share public" },
  { label: "Sessions", icon: "lock", to: "/settings/sessions", alsoCalled: "devices extension sign out" },
  { label: "New key", icon: "plus", to: "/settings/keys", search: { new: "key" }, alsoCalled: "create api token" },
  { label: "Light theme", icon: "eye", run: () => chooseTheme("light"), alsoCalled: "appearance mode day" },
  { label: "Dark theme", icon: "eye", run: () => chooseTheme("dark"), alsoCalled: "appearance mode night" },
  { label: "System theme", icon: "eye", run: () => chooseTheme("system"), alsoCalled: "appearance mode" },
  { label: "Sign out", icon: "signOut", run: () => leave(), alsoCalled: "log out leave" },
  { label: "Account", icon: "person", to: "/settings/account", alsoCalled: "settings export delete" },
];

/** The pages whose name, or another name of theirs, has every word that was typed; all of them before anything is. */
export function pageEntries(typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return pages
    .filter(({ label, alsoCalled = "" }) => {
      const names = `${label} ${alsoCalled}`.toLowerCase();
      return words.every((word) => names.includes(word));
    })
    .map(({ alsoCalled: _alsoCalled, ...entry }) => ({ ...entry, id: `page-${entry.label.replaceAll(" ", "-")}` }));
}
