import { bioHandleLimits } from "@reelscript/contract/values";
import type { BioPage } from "@reelscript/contract";
import { useState, type SubmitEvent } from "react";
import { queryClient } from "../../../api/call.ts";
import { useChange, operationQuery } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { ErrorNote } from "../../../components/page.tsx";
import { showToast } from "../../../components/toast.tsx";
import { AddressAsCode, AddressToCopy } from "./publish-sheet.tsx";
import { HandleField, newHandleHint, refusals, useTypedHandle } from "./handle-field.tsx";

const otherHint = `Your old address will redirect here for ${bioHandleLimits.keptDays} days.`;

interface Props {
  readonly page: BioPage;
  readonly suggestedHandle: string | undefined;
}

export function AddressPanel({ page, suggestedHandle }: Props) {
  const { handle } = page;
  const typed = useTypedHandle(handle ?? suggestedHandle ?? "");
  const { requestedHandle, shape } = typed;
  const [isReleasing, setReleasing] = useState(false);
  const claim = useChange("claimBioHandle", {
    onDone: (changed) => {
      queryClient.setQueryData(operationQuery("getMyBioPage", {}).queryKey, changed);
      typed.type(changed.handle ?? "");
      const more = changed.revision === 0 ? " Publish your page to make it public." : "";
      showToast(changed.handle === null ? "You released your address." : `@${changed.handle} is yours.${more}`);
    },
  });
  const refused = claim.error?.reason && refusals[claim.error.reason]?.(claim.variables?.handle ?? "");
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (requestedHandle !== "" && shape === undefined && requestedHandle !== handle && !claim.isPending)
      claim.mutate({ handle: requestedHandle });
  };
  return (
    <section className="stack" aria-labelledby="bio-address">
      <h2 id="bio-address">Address</h2>
      <PresentAddress page={page} />
      <form className="stack tight" onSubmit={submit} noValidate>
        <HandleField
          label={handle === null ? "Choose an address" : "New address"}
          hint={handle === null ? newHandleHint : otherHint}
          handle={typed}
          present={handle}
          refused={refused}
          onType={() => claim.reset()}
        />
        {claim.error && refused === undefined && <ErrorNote error={claim.error}>Your address is unchanged.</ErrorNote>}
        <div className="row wrap">
          <Button
            type="submit"
            disabled={requestedHandle === "" || requestedHandle === handle || shape !== undefined}
            busy={claim.isPending && "Claiming…"}
          >
            {handle === null ? "Claim address" : "Change address"}
          </Button>
          {handle !== null && (
            <Button
              kind="danger"
              onClick={() => {
                claim.reset();
                setReleasing(true);
              }}
            >
              Release address
            </Button>
          )}
        </div>
      </form>
      {handle !== null && isReleasing && (
        <ReleaseDialog handle={handle} claim={claim} onClose={() => setReleasing(false)} />
      )}
    </section>
  );
}

interface ReleaseProps {
  readonly handle: string;
  readonly claim: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly mutate: (input: { handle: string | null }) => void;
  };
  readonly onClose: () => void;
}

const ReleaseDialog = ({ handle, claim, onClose }: ReleaseProps) => (
  <ConfirmDialog
    title={`Release “@${handle}”?`}
    change={claim}
    onClose={onClose}
    onConfirm={() => claim.mutate({ handle: null })}
    action="Release address"
    busy="Releasing…"
  >
    Your page will no longer be public. For {bioHandleLimits.keptDays} days only you can take the address back. After
    that, anyone can claim it.
  </ConfirmDialog>
);

function PresentAddress({ page: { handle, url, revision } }: { readonly page: BioPage }) {
  if (handle === null || url === null) return undefined;
  return (
    <div className="stack tight">
      {revision === 0 && <p className="meta">Only you can see your page until you publish it.</p>}
      <AddressToCopy url={url} />
      <AddressAsCode url={url} handle={handle} />
    </div>
  );
}
