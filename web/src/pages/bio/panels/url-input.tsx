import type { ComponentProps } from "react";
import { CheckedInput } from "../checked-input.tsx";
import { tidyUrl } from "../draft/link-url.ts";

type Props = Pick<ComponentProps<typeof CheckedInput>, "label" | "name" | "hint" | "onChange"> & {
  readonly value: string | null;
};

/** A URL, which is made whole when the field is left. */
export function UrlInput({ value, ...rest }: Props) {
  return (
    <CheckedInput
      {...rest}
      value={value ?? ""}
      dir="ltr"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      tidy={tidyUrl}
    />
  );
}
