import { cutText } from "@reelscript/contract/values";
import { Icon } from "../../components/icon.tsx";
import { exactNumber } from "../../format.ts";

interface Props {
  readonly text: string;
  /** Links that aren't reels. */
  readonly others: readonly string[];
  /** Lines without any link. */
  readonly plainLines: readonly string[];
}

const mostLines = 5;
/** A line shows less. */
const mostCharacters = 200;

/** Shows what of the pasted text won't be sent, and why. */
export function UnsentLines({ text: pasted, others, plainLines }: Props) {
  const count = others.length + plainLines.length;
  if (count === 0) return undefined;
  // The first ones of both kinds, in the order in which they were written.
  const lines = [
    ...others.slice(0, mostLines).map((text) => ({ text, reason: "not a reel" })),
    ...plainLines.slice(0, mostLines).map((text) => ({ text, reason: "not a link" })),
  ]
    .toSorted((one, other) => pasted.indexOf(one.text) - pasted.indexOf(other.text))
    .slice(0, mostLines);
  return (
    <div className="unsent-lines stack">
      <p className="meta" id="unsent-lines">
        These won’t be sent:
      </p>
      <ul aria-labelledby="unsent-lines">
        {lines.map(({ text, reason }) => (
          <li key={text} className="row">
            <bdi className="one-line">{cutText(text, mostCharacters)}</bdi>
            <span className="field-error">
              <Icon name="alert" small />
              {reason}
            </span>
          </li>
        ))}
      </ul>
      {count > lines.length && <p className="meta">And {exactNumber(count - lines.length)} more.</p>}
    </div>
  );
}
