import { Moment } from "../../components/moment.tsx";
import { Note } from "../../components/note.tsx";

/** The operator took the page down; its owner can't restore it. */
export function TakenDownNote({ at }: { readonly at: string }) {
  return (
    <Note kind="bad" icon="warn">
      <p>
        <b>Your page is offline.</b> The operator of this service took it down (<Moment at={at} />
        ). Visitors can’t see it or use its links. You can still edit it. To get it back, contact the operator.
      </p>
    </Note>
  );
}
