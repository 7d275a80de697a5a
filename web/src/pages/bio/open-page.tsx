import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { AnchorButton } from "../../components/link-button.tsx";

interface Props {
  /** null: the page has no public address. */
  readonly handle: string | null;
  readonly isPublished: boolean;
  /** The draft as a merge patch in JSON; `undefined` when everything is published. */
  readonly patch: string | undefined;
}

/** Opens the page in a tab: the public one, or the draft while it differs from that. */
export function OpenPage({ handle, isPublished, patch }: Props) {
  if (handle !== null && isPublished && patch === undefined)
    return (
      <AnchorButton kind="quiet" endIcon="open" href={`/@${handle}`} target="_blank" rel="noopener">
        Open
      </AnchorButton>
    );
  return (
    <form action="/app/bio/preview?in=tab" method="post" target="_blank">
      <input type="hidden" name="patch" value={patch ?? "{}"} readOnly />
      <Button type="submit" kind="quiet">
        Open
        <Icon name="open" small />
      </Button>
    </form>
  );
}
