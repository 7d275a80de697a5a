import { splitInsight } from "./split-insight.ts";

export function Insights({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return undefined;
  return (
    <section className="card" aria-labelledby="insights">
      <h2 id="insights">What to take from it</h2>
      <ol className="ins">
        {sentences.map((sentence) => {
          const { claim, evidence, url } = splitInsight(sentence);
          return (
            <li key={sentence}>
              <span>
                {claim}
                {(evidence !== undefined || url !== undefined) && (
                  <small>
                    {evidence}{" "}
                    {url !== undefined && (
                      <a href={url} target="_blank" rel="noopener noreferrer">
                        Open the reel
                      </a>
                    )}
                  </small>
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
