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
  const lines = [
    ...others.map((text) => ({ text, reason: "not a reel" })),
    ...plainLines.map((text) => ({ text, reason: "not a link" })),
  ].toSorted((one, other) => pasted.indexOf(one.text) - pasted.indexOf(other.text));
  if (lines.length === 0) return undefined;
  return (
    <div className="unsent-lines stack">
      <p className="meta" id="unsent-lines">
        These won’t be sent:
      </p>
      <ul aria-labelledby="unsent-lines">
        {lines.slice(0, mostLines).map(({ text, reason }) => (
          <li key={text} className="row">
            <bdi className="one-line">{cutText(text, mostCharacters)}</bdi>
            <span className="field-error">
              <Icon name="alert" small />
              {reason}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > mostLines && <p className="meta">And {exactNumber(lines.length - mostLines)} more.</p>}
    </div>
  );
}
