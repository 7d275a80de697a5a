import { gelOf } from "@reelscript/contract/values";
import { classNames } from "./class-names.ts";

interface Props {
  /** Of a person or a handle; its first letter is shown, its color follows from it. */
  readonly name: string;
  readonly large?: boolean;
}

export function Avatar({ name, large = false }: Props) {
  const [first = "?"] = name.replace(/^@/, "");
  return (
    <span className={classNames("avatar", large && "large", gelOf(name))} aria-hidden="true">
      {first.toLocaleUpperCase()}
    </span>
  );
}
