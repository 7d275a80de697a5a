import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { ScrolledTable } from "../../../components/scrolled-table.tsx";
import { linkTarget, type Block, type Inline } from "./parse-markdown.ts";

interface Props {
  readonly blocks: readonly Block[];
  readonly sectionIds: readonly string[];
}

/** Built from elements, never from HTML, so that text stays text. */
export function Markdown({ blocks, sectionIds }: Props) {
  const sections = blocks.filter(({ kind }) => kind === "section");
  return <div className="prose">{each(blocks, (block) => shownBlock(block, sectionIds[sections.indexOf(block)]))}</div>;
}

function shownBlock(block: Block, id: string | undefined): ReactNode {
  switch (block.kind) {
    // Shown in the page's header.
    case "title":
      return undefined;
    case "section":
      return (
        <h2 id={id} tabIndex={-1}>
          {wordsOf(block.children)}
        </h2>
      );
    case "paragraph":
      return <p>{wordsOf(block.children)}</p>;
    case "quote":
      return (
        <blockquote>
          <p>{wordsOf(block.children)}</p>
        </blockquote>
      );
    case "list": {
      const items = each(block.items, (words) => <li>{wordsOf(words)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
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

function Table({ figures, rows: [head = [], ...rows] }: Extract<Block, { kind: "table" }>) {
  const alignment = (index: number) => (figures[index] ? "number" : undefined);
  return (
    <ScrolledTable className="wide-words" label="Table">
      <thead>
        <tr>
          {each(head, (words, index) => (
            <th scope="col" className={alignment(index)}>
              {wordsOf(words)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {each(rows, (row) => (
          <tr>
            {each(row, (words, index) => (
              <td className={alignment(index)}>{wordsOf(words)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
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
        return <WordsLink target={part.target}>{wordsOf(part.children)}</WordsLink>;
    }
  });

function WordsLink({ target, children }: { readonly target: string; readonly children: ReactNode }) {
  const link = linkTarget(target);
  switch (link?.kind) {
    case "guide":
      return (
        <Link to="/guides/$guideId" params={{ guideId: link.slug }} {...(link.section && { hash: link.section })}>
          {children}
        </Link>
      );
    case "section":
      return <a href={`#${link.section}`}>{children}</a>;
    case "outside":
      return (
        <a href={link.url} target="_blank" rel="noopener noreferrer">
          {children}
          <span className="visually-hidden"> (new tab)</span>
        </a>
      );
    case undefined:
      return children;
  }
}

const each = <Item,>(items: readonly Item[], render: (item: Item, index: number) => ReactNode): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- the text does not change while it is shown
  items.map((item, index) => <Fragment key={index}>{render(item, index)}</Fragment>);
