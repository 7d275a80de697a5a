import { bioHandleLimits } from "@reelscript/contract/values";
import type { BioPage, ErrorReason } from "@reelscript/contract";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState, type ComponentProps, type SubmitEvent } from "react";
import { useChange, operationQuery } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../../components/dialog.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Field } from "../../../components/field.tsx";
import { showToast } from "../../../components/toast.tsx";
import { handleProblem } from "../draft/problems-of.ts";

/** Not needed before there is an address. */
const QrCode = lazy(async () => ({ default: (await import("../qr-code.tsx")).QrCode }));

const newHint = `${bioHandleLimits.shortest} to ${bioHandleLimits.longest} letters, numbers, dots or underscores.`;
const otherHint = `Your old address will redirect here for ${bioHandleLimits.keptDays} days.`;

interface Props {
  readonly page: BioPage;
  /** What somebody came to claim. */
  readonly wanted: string | undefined;
}

export function AddressPanel({ page: { handle, url, revision }, wanted: proposed }: Props) {
  const client = useQueryClient();
  const [text, setText] = useState(handle ?? proposed ?? "");
  const [left, setLeft] = useState(false);
  const [isGivingUp, setGivingUp] = useState(false);
  const claim = useChange("claimBioHandle", {
    onDone: (page) => {
      client.setQueryData(operationQuery("getMyBioPage", {}).queryKey, page);
      setText(page.handle ?? "");
      setGivingUp(false);
      const more = page.revision === 0 ? " Publish your page to make it public." : "";
      showToast(page.handle === null ? "You gave up your address." : `@${page.handle} is yours.${more}`);
    },
  });
  const wanted = text.trim().replace(/^@/, "").toLowerCase();
  const shape = wanted === "" ? undefined : handleProblem(wanted);
  // While somebody is writing, "too short" is no news.
  const shown = shape !== undefined && (left || !shape.startsWith("At least")) ? shape : undefined;
  const refused = claim.error?.reason && refusals[claim.error.reason]?.(claim.variables?.handle ?? "");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setLeft(true);
    if (wanted !== "" && shape === undefined && wanted !== handle && !claim.isPending) claim.mutate({ handle: wanted });
  };
  return (
    <section className="stack" aria-labelledby="bio-address">
      <h2 id="bio-address">Address</h2>
      {handle !== null && url !== null && <PresentAddress handle={handle} url={url} isPublic={revision > 0} />}
      <form className="stack tight" onSubmit={submit} noValidate>
        <Field
          label={handle === null ? "Choose an address" : "New address"}
          error={shown ?? refused}
          hint={handle === null ? newHint : otherHint}
        >
          {(wiring) => (
            <AddressInput
              {...wiring}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setLeft(false);
                claim.reset();
              }}
              onBlur={() => setLeft(true)}
            />
          )}
        </Field>
        <p className="meta" role="status">
          {wanted !== "" && wanted !== handle && shape === undefined && refused === undefined && (
            <Outlook wanted={wanted} />
          )}
        </p>
        {claim.error && refused === undefined && <ErrorNote error={claim.error}>Your address is unchanged.</ErrorNote>}
        <div className="row wrap">
          <Button
            type="submit"
            kind="quiet"
            disabled={wanted === "" || wanted === handle || shape !== undefined}
            busy={claim.isPending ? "Claiming…" : undefined}
          >
            {handle === null ? "Claim address" : "Change address"}
          </Button>
          {handle !== null && (
            <Button kind="danger" onClick={() => setGivingUp(true)}>
              Give up address
            </Button>
          )}
        </div>
      </form>
      <GiveUpDialog
        open={isGivingUp}
        handle={handle ?? ""}
        pending={claim.isPending}
        onClose={() => setGivingUp(false)}
        onGiveUp={() => claim.mutate({ handle: null })}
      />
    </section>
  );
}

const Outlook = ({ wanted }: { readonly wanted: string }) => (
  <>
    Your page will be at{" "}
    <bdi>
      {location.host}/@{wanted}
    </bdi>
    .
  </>
);

interface PresentProps {
  readonly isPublic: boolean;
  readonly handle: string;
  readonly url: string;
}

function PresentAddress({ handle, url, isPublic }: PresentProps) {
  return (
    <div className="stack tight">
      {!isPublic && <p className="meta">Only you can see your page until you publish it.</p>}
      <div className="secret">
        <div className="row wrap">
          <code dir="ltr">{url}</code>
          <CopyButton text={url} done="Copied the address" size="small">
            Copy address
          </CopyButton>
        </div>
      </div>
      <Suspense fallback={<div className="qr-code" />}>
        <QrCode url={url} handle={handle} />
      </Suspense>
    </div>
  );
}

function AddressInput(rest: ComponentProps<"input">) {
  return (
    <div className="address" dir="ltr">
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

interface GiveUpProps {
  readonly open: boolean;
  readonly handle: string;
  readonly pending: boolean;
  readonly onClose: () => void;
  readonly onGiveUp: () => void;
}

function GiveUpDialog({ open, handle, pending, onClose, onGiveUp }: GiveUpProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Give up “@${handle}”?`}>
      <p>
        Your page will no longer be public. For {bioHandleLimits.keptDays} days only you can take the address back.
        After that, anyone can claim it.
      </p>
      <DialogButtons>
        <Button kind="quiet" onClick={onClose}>
          Keep it
        </Button>
        <Button kind="danger" busy={pending ? "Giving up…" : undefined} onClick={onGiveUp}>
          Give up address
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** What is wrong with a handle that has the right shape. */
const refusals: Partial<Record<ErrorReason, (handle: string) => string>> = {
  handleReserved: () => "This handle is reserved. Choose another one.",
  handleTaken: (handle) => `${handle} is taken. Choose another one.`,
  handleChangedTooOften: () =>
    `You changed the handle ${bioHandleLimits.kept} times or more within ${bioHandleLimits.keptDays} days. Go back to one of your previous handles, or wait until one of them is free again.`,
};
