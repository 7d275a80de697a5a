import { Link } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { useOperation } from "../api/use-operation.ts";
import { Avatar } from "../components/inline.tsx";
import { Icon } from "../components/icon.tsx";
import { ThemeChoice } from "../components/theme.tsx";
import { leave } from "../components/sign-out.ts";

export function PersonMenu({ compact = false }: { readonly compact?: boolean }) {
  const { data } = useOperation("getSession", {}, { staleTime: 300_000 });
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const name = data?.account.name ?? data?.account.email ?? "";
  return (
    <>
      <button
        type="button"
        className="my-account row"
        popoverTarget={id}
        aria-label={name === "" ? "Menu" : compact ? `Menu of ${name}` : undefined}
      >
        <Avatar name={name || "·"} />
        {!compact && <span className="one-line">{name}</span>}
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
        {data?.isOperator && (
          <Link className="entry" to="/admin/{-$part}" onClick={() => panel.current?.hidePopover()}>
            <Icon name="lock" />
            Operator
          </Link>
        )}
        <ThemeChoice />
        <SignOutButton />
      </div>
    </>
  );
}

export function SignOutButton() {
  const [leaving, setLeaving] = useState(false);
  return (
    <button
      type="button"
      className="entry"
      aria-disabled={leaving || undefined}
      onClick={() => {
        if (leaving) return;
        setLeaving(true);
        leave(() => setLeaving(false));
      }}
    >
      <Icon name="signOut" />
      Sign out
    </button>
  );
}
