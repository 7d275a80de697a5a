import { Fragment } from "react";

/** The name of a platform account, kept apart from the direction of the text around it; a long one breaks at its signs. */
export const Handle = ({ name }: { readonly name: string }) => (
  <bdi>
    @
    {name
      .replace(/^@/, "")
      .split(/(?<=[._])/)
      .map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
  </bdi>
);
