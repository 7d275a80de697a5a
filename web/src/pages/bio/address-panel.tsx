import { bioHandleLimits } from "@reelscript/contract/values";
import type { BioPage } from "@reelscript/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useChange } from "../../api/use-change.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/error-note.tsx";
import { Field } from "../../components/field.tsx";
import { Note } from "../../components/note.tsx";
import { showToast } from "../../components/toast.ts";
import { handleProblem } from "./draft/handle-problem.ts";

export function AddressPanel({ page: { handle, url } }: { readonly page: BioPage }) {
  const client = useQueryClient();
  const [text, setText] = useState(handle ?? "");
  const [left, setLeft] = useState(false);
  const [isGivingUp, setGivingUp] = useState(false);
  const claim = useChange("claimBioHandle", {
    onDone: (page) => {
      client.setQueryData(operationQuery("getMyBioPage", {}).queryKey, page);
      setText(page.handle ?? "");
      setGivingUp(false);
      showToast(page.handle === null ? "The address was given up." : `The address is yours: @${page.handle}`);
    },
  });
  const wanted = text.trim().replace(/^@/, "").toLowerCase();
  const shape = wanted === "" ? undefined : handleProblem(wanted);
  // While somebody is writing, "too short" is no news.
  const shown = shape !== undefined && (left || !shape.startsWith("At least")) ? shape : undefined;
  const refused =
    claim.error && isAboutHandle(claim.error) ? claim.error.message.replace(/^`handle`: /, "") : undefined;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setLeft(true);
    if (wanted !== "" && shape === undefined && wanted !== handle && !claim.isPending) claim.mutate({ handle: wanted });
  };
  return (
    <section className="stack" aria-labelledby="bio-address">
      <h2 id="bio-address">Address</h2>
      {handle !== null && url !== null && (
        <div className="stack t">
          <div className="secret">
            <div className="row wrap">
              <code dir="ltr">{url}</code>
              <CopyButton text={url} done="Copied the address" size="small">
                Copy address
              </CopyButton>
            </div>
          </div>
          <Note icon="clock">
            The address is yours already. The public page opens there with a later release; until then Open shows it to
            you alone.
          </Note>
        </div>
      )}
      <form className="stack t" onSubmit={submit} noValidate>
        <Field
          label={handle === null ? "Choose an address" : "Another address"}
          error={shown ?? refused}
          hint={
            handle === null
              ? `${bioHandleLimits.shortest} to ${bioHandleLimits.longest} characters: a to z, 0 to 9, dot and underscore.`
              : `Your present one is kept for you for ${bioHandleLimits.heldDays} days, so that nobody takes over the links to it.`
          }
        >
          {(wiring) => (
            <div className="address" dir="ltr">
              <span aria-hidden="true">{location.host}/@</span>
              <input
                {...wiring}
                className="in"
                name="handle"
                value={text}
                autoCapitalize="none"
                autoComplete="off"
                autoCorrect="off"
                spellCheck={false}
                maxLength={60}
                onChange={(event) => {
                  setText(event.target.value);
                  setLeft(false);
                  claim.reset();
                }}
                onBlur={() => setLeft(true)}
              />
            </div>
          )}
        </Field>
        <p className="meta" role="status">
          {wanted !== "" && wanted !== handle && shape === undefined && refused === undefined && (
            <>
              It would be{" "}
              <bdi>
                {location.host}/@{wanted}
              </bdi>
              . Whether it is free is known when you claim it.
            </>
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
      <Dialog open={isGivingUp} onClose={() => setGivingUp(false)} title={`Give up “@${handle ?? ""}”?`}>
        <p>
          The page then has no address. For {bioHandleLimits.heldDays} days only you can take it back; after that
          anybody can.
        </p>
        <DialogButtons>
          <Button kind="quiet" onClick={() => setGivingUp(false)}>
            Keep it
          </Button>
          <Button
            kind="danger"
            busy={claim.isPending ? "Giving up…" : undefined}
            onClick={() => claim.mutate({ handle: null })}
          >
            Give up address
          </Button>
        </DialogButtons>
      </Dialog>
    </section>
  );
}

const isAboutHandle = (error: ApiError): boolean => error.message.startsWith("`handle`:");
