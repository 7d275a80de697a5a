import { Chip } from "../../components/inline.tsx";
import { CopyButton, LinkButton } from "../../components/button.tsx";
import { TitleCard } from "../../components/cue.tsx";
import { Note, PageHeader } from "../../components/page.tsx";
import { duration } from "../../format.ts";
import { beginningOf, sampleScript } from "@reelscript/contract/values";

export function SampleScriptPage() {
  const { language, seconds, segments } = sampleScript;
  const [first, ...rest] = segments;
  const text = segments.map((segment) => segment.text).join(" ");
  return (
    <>
      <PageHeader title={beginningOf(text)} crumb={{ to: "/library", label: "Library", here: <Chip>Sample</Chip> }}>
        <LinkButton kind="ink" to="/transcribe">
          Transcribe a reel
        </LinkButton>
      </PageHeader>
      <Note icon="alert">This is a sample. It isn’t in your library and costs nothing.</Note>
      <div className="script">
        <div className="left stack">
          <TitleCard
            id="sample"
            lang={language}
            now={first.text}
            after={rest.map((segment) => segment.text).join(" ")}
            length={seconds}
          />
        </div>
        <article aria-label="Transcript">
          <div className="tools row wrap">
            <CopyButton text={text} done="Copied the transcript">
              Copy text
            </CopyButton>
          </div>
          <ol className="segment-list">
            {segments.map((segment) => (
              <li key={segment.start}>
                <time>{duration(segment.start)}</time>
                <p lang={language}>{segment.text}</p>
              </li>
            ))}
          </ol>
        </article>
      </div>
    </>
  );
}
