import type { ErrorReason } from "@reelscript/contract";
import { bioHandleLimits } from "@reelscript/contract/values";
import { useState, type ComponentProps } from "react";
import { useOperation } from "../../../api/use-operation.ts";
import { Field } from "../../../components/field.tsx";
import { pauseMilliseconds, useRested } from "../../../components/search-field.tsx";
import { handleProblem } from "../draft/problems-of.ts";

/** The typed handle, and whether the account could have it. */
export interface TypedHandle {
  readonly text: string;
  /** The handle to claim: in lower case, without @. */
  readonly requestedHandle: string;
  /** The problem with its letters; also `undefined` while it is empty. */
  readonly shape: string | undefined;
  /** `undefined` until the service has responded for exactly this handle. */
  readonly state: "free" | "yours" | "taken" | "reserved" | undefined;
  readonly type: (text: string) => void;
}

export function useTypedHandle(first: string): TypedHandle {
  const [text, type] = useState(first);
  const requestedHandle = text.trim().replace(/^@/, "").toLowerCase();
  const shape = requestedHandle === "" ? undefined : handleProblem(requestedHandle);
  const restedHandle = useRested(requestedHandle, "", pauseMilliseconds);
  const isSettled = requestedHandle !== "" && shape === undefined && restedHandle === requestedHandle;
  const { data } = useOperation("checkBioHandle", { handle: restedHandle }, { enabled: isSettled });
  return {
    text,
    requestedHandle,
    shape,
    state: isSettled && data?.handle === requestedHandle ? data.state : undefined,
    type,
  };
}

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly handle: TypedHandle;
  /** The account's current handle. */
  readonly present: string | null;
  /** Why the service refused the previous claim. */
  readonly refused: string | undefined;
  readonly onType: () => void;
}

/** The field for a handle; shows during typing whether the handle is free. */
export function HandleField({ label, hint, handle, present, refused, onType }: Props) {
  const { text, requestedHandle, shape, state, type } = handle;
  const [left, setLeft] = useState(false);
  // While somebody is typing, "too short" is obvious.
  const problem = shape !== undefined && (left || !shape.startsWith("Use at least")) ? shape : undefined;
  const unavailable =
    state === "taken"
      ? refusals.handleTaken?.(requestedHandle)
      : state === "reserved"
        ? refusals.handleReserved?.(requestedHandle)
        : undefined;
  const isNew = requestedHandle !== "" && requestedHandle !== present && shape === undefined;
  return (
    <div className="handle-field">
      <Field label={label} error={problem ?? refused ?? unavailable} hint={isNew ? undefined : hint}>
        {(wiring) => (
          <AddressInput
            {...wiring}
            value={text}
            onChange={(event) => {
              type(event.target.value);
              setLeft(false);
              onType();
            }}
            onBlur={() => setLeft(true)}
          />
        )}
      </Field>
      <p className="meta" role="status">
        {isNew && refused === undefined && unavailable === undefined && (
          <>
            {state === "free" && "Free. "}
            Your page will be at{" "}
            <bdi>
              {location.host}/@{requestedHandle}
            </bdi>
            .
          </>
        )}
      </p>
    </div>
  );
}

function AddressInput(rest: ComponentProps<"input">) {
  return (
    <div className="address row" dir="ltr">
      <span aria-hidden="true">{location.host}/@</span>
      <input
        {...rest}
        className="input"
        name="handle"
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={60}
      />
    </div>
  );
}

export const newHandleHint = `${bioHandleLimits.shortest} to ${bioHandleLimits.longest} letters, numbers, dots or underscores.`;

/** Why a claim was refused, as a message for the field. */
export const refusals: Partial<Record<ErrorReason, (handle: string) => string>> = {
  handleReserved: () => "This handle is reserved. Choose another one.",
  handleTaken: (handle) => `${handle} is taken. Choose another one.`,
  handleChangedTooOften: () =>
    `You changed the handle ${bioHandleLimits.kept} times or more within ${bioHandleLimits.keptDays} days. Go back to one of your previous handles, or wait until one of them is free again.`,
};
