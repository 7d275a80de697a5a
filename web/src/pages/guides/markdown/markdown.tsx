import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { linkTarget, type Block, type Inline } from "./parse-markdown.ts";

interface Props {
  readonly blocks: readonly Block[];
  readonly sectionIds: readonly string[];
}

/** Made of elements, never of HTML, so nothing in the text can become more than text. */
export function Markdown({ blocks, sectionIds }: Props) {
  const sections = blocks.filter((block) => block.kind === "heading" && block.level === 2);
  return (
    <div className="prose">
      {blocks.map((block, index) => {
        const id = sectionIds[sections.indexOf(block)];
        // oxlint-disable-next-line react/no-array-index-key -- the text does not change while it is shown
        return <ShownBlock key={index} block={block} id={id} />;
      })}
    </div>
  );
}

function ShownBlock({ block, id }: { readonly block: Block; readonly id: string | undefined }) {
  switch (block.kind) {
    case "heading":
      if (block.level > 2) return <h3>{wordsOf(block.children)}</h3>;
      return (
        <h2 id={id} tabIndex={-1}>
          {wordsOf(block.children)}
        </h2>
      );
    case "paragraph":
      return <p>{wordsOf(block.children)}</p>;
    case "list": {
      const items = each(block.items, (words) => <li>{wordsOf(words)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "quote":
      return (
        <blockquote>
          {each(block.paragraphs, (words) => (
            <p>{wordsOf(words)}</p>
          ))}
        </blockquote>
      );
    case "code":
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "table":
      return <Table {...block} />;
  }
}

function Table({ head, align, rows }: Extract<Block, { kind: "table" }>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className="wide-words" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {each(head, (words, index) => (
              <th scope="col" className={align[index] === "end" ? "number" : undefined}>
                {wordsOf(words)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {each(rows, (row) => (
            <tr>
              {each(row, (words, index) => (
                <td className={align[index] === "end" ? "number" : undefined}>{wordsOf(words)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const wordsOf = (parts: readonly Inline[]): ReactNode =>
  each(parts, (part) => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "code":
        return <code>{part.text}</code>;
      case "strong":
        return <strong className="semibold">{wordsOf(part.children)}</strong>;
      case "emphasis":
        return <em>{wordsOf(part.children)}</em>;
      case "link":
        return <WordsLink target={part.target} of={part.children} />;
    }
  });

function WordsLink({ target, of }: { readonly target: string; readonly of: readonly Inline[] }) {
  const found = linkTarget(target);
  const words = wordsOf(of);
  switch (found?.kind) {
    case "guide":
      return (
        <Link to="/guides/$guideId" params={{ guideId: found.slug }} {...(found.section && { hash: found.section })}>
          {words}
        </Link>
      );
    case "section":
      return <a href={`#${found.section}`}>{words}</a>;
    case "outside":
      return (
        <a href={found.url} target="_blank" rel="noopener noreferrer">
          {words}
          <span className="visually-hidden"> (new tab)</span>
        </a>
      );
    case undefined:
      return words;
  }
}

const each = <Item,>(items: readonly Item[], shown: (item: Item, index: number) => ReactNode): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- the text does not change while it is shown
  items.map((item, index) => <Fragment key={index}>{shown(item, index)}</Fragment>);
