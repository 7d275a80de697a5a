/** What a reader of the screen hears of a list whose items can be moved. */
export function SortHint({ id, announcement }: { readonly id: string; readonly announcement: string }) {
  return (
    <>
      <p id={id} hidden>
        Space or Enter picks it up; then the arrow keys move it.
      </p>
      <p className="visually-hidden" role="status" aria-live="assertive">
        {announcement}
      </p>
    </>
  );
}
