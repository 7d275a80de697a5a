import { LinkButton } from "./button.tsx";
import { PageHeader } from "./page.tsx";

/** In place of a page that doesn't exist, or not for this person. */
export const NotFound = () => (
  <>
    <PageHeader title="Page not found" sub="Check the address. The page may have been deleted." />
    <p>
      <LinkButton kind="ink" to="/library">
        Open the library
      </LinkButton>
    </p>
  </>
);
