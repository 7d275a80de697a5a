import { LinkButton } from "../components/link-button.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Brand } from "../shell/brand.tsx";

export function NotFoundPage() {
  return (
    <div className="alone">
      <Brand />
      <main id="main" className="stack">
        <PageHeader title="Page not found" sub="Check the address. The page may have been deleted." />
        <p>
          <LinkButton to="/library">Open the library</LinkButton>
        </p>
      </main>
    </div>
  );
}
