import { LinkButton } from "../components/link-button.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Brand } from "../shell/brand.tsx";

export function NotFoundPage() {
  return (
    <div className="lone">
      <Brand />
      <main id="main" className="stack">
        <PageHeader title="Nothing is here" sub="The address may be mistyped, or what it led to was deleted." />
        <p>
          <LinkButton to="/library">Open the library</LinkButton>
        </p>
      </main>
    </div>
  );
}
