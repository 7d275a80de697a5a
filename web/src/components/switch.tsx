import type { ComponentProps } from "react";

interface Props extends Omit<ComponentProps<"input">, "type" | "onChange" | "checked"> {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** On or off, at once. */
export function Switch({ label, labelHidden = false, checked, onChange, ...rest }: Props) {
  return (
    <label className="row">
      <input
        className="switch"
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={labelHidden ? "visually-hidden" : undefined}>{label}</span>
    </label>
  );
}
