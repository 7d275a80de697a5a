import { SkeletonRows } from "../components/skeleton-rows.tsx";

/** While the code of a page is on its way. */
export function PagePending() {
  return <SkeletonRows count={3} label="Loading the page" />;
}
