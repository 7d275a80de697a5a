/** What a chart tells of one place: its name, then its values. */
export function Told({ lines: [first, ...rest] }: { readonly lines: readonly [string, ...string[]] }) {
  return (
    <>
      <b>{first}</b>
      {rest.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </>
  );
}
