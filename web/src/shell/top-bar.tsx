import { useOperation } from "../api/use-operation.ts";
import { Chip } from "../components/chip.tsx";
import { exactNumber } from "../format/number.ts";
import { Brand } from "./brand.tsx";
import { PersonMenu } from "./person-menu.tsx";

/** Instead of the sidebar where the window is narrow. */
export function TopBar() {
  const { data } = useOperation("getUsage", {});
  const usage = data?.transcriptions;
  return (
    <header className="top-bar">
      <Brand />
      <span className="at-end">
        {usage && (
          <Chip kind={usage.used >= usage.limit ? "bad" : usage.used >= usage.limit * 0.9 ? "warn" : "outline"}>
            {exactNumber(usage.used)} of {exactNumber(usage.limit)}
          </Chip>
        )}
      </span>
      <PersonMenu compact />
    </header>
  );
}
