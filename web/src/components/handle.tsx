/** The name of a platform account, kept apart from the direction of the text around it. */
export function Handle({ name }: { readonly name: string }) {
  return <bdi>@{name.replace(/^@/, "")}</bdi>;
}
