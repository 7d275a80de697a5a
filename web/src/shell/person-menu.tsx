import { Link } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { useOperation } from "../api/use-operation.ts";
import { Avatar } from "../components/avatar.tsx";
import { Icon } from "../components/icon.tsx";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

/** The person's name, and what belongs to it. Where the bar is narrow the picture stands alone. */
export function PersonMenu({ compact = false }: { readonly compact?: boolean }) {
  const { data } = useOperation("getSession", {}, { staleTime: 300_000 });
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const name = data?.account.name ?? data?.account.email ?? "";
  return (
    <>
      <button
        type="button"
        className="my-account"
        popoverTarget={id}
        aria-label={name === "" ? "Menu" : compact ? `Menu of ${name}` : undefined}
      >
        <Avatar name={name || "·"} />
        {!compact && <span className="name">{name}</span>}
      </button>
      <div id={id} ref={panel} popover="auto" className={compact ? "menu at-top" : "menu at-foot"}>
        {data && (
          <p className="subject">
            <b>{name}</b>
            {data.account.name !== null && <span className="meta">{data.account.email}</span>}
          </p>
        )}
        <Link className="entry" to="/settings/account" onClick={() => panel.current?.hidePopover()}>
          <Icon name="gear" />
          Settings
        </Link>
        <ThemeChoice />
        <SignOutButton />
      </div>
    </>
  );
}
