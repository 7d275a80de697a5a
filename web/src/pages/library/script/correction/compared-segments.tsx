import { duration } from "../../../../format/duration.ts";
import type { Correctable } from "./correction-draft.ts";

interface Props {
  readonly found: Correctable;
  readonly language: string | undefined;
}

/** Each line as it is, and what was recognized where that is something else. */
export function ComparedSegments({ found, language }: Props) {
  return (
    <ol className="segment-list compared" aria-label="Corrected and original lines">
      {found.segments.map(({ start, text, original }, index) => (
        <li key={index}>
          <time>{duration(start)}</time>
          <div>
            {text === original ? (
              <p lang={language} dir="auto">
                {text}
              </p>
            ) : (
              <>
                <span className="visually-hidden">Original: </span>
                <p lang={language} dir="auto">
                  <del>{original}</del>
                </p>
                <span className="visually-hidden">Corrected: </span>
                <p lang={text === "" ? undefined : language} dir={text === "" ? undefined : "auto"}>
                  <ins>{text || "(removed)"}</ins>
                </p>
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
