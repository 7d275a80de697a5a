import { useId, type ComponentProps, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly labelHidden?: boolean | undefined;
}

interface Wiring {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

/** Label, hint and error around a control that `children` renders with the given ids. */
export function Field({
  label,
  hint,
  error,
  labelHidden = false,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id} className={labelHidden ? "visually-hidden" : undefined}>
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          <Icon name="alert" small />
          {error}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface InputProps extends FieldProps, Omit<ComponentProps<"input">, "className"> {
  /** Multiline. */
  readonly lines?: boolean;
}

export function Input({ label, labelHidden, hint, error, lines = false, ...rest }: InputProps) {
  const Control = (lines ? "textarea" : "input") as "input"; // safe: what fields share is given to both
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} error={error}>
      {(wiring) => <Control className="input" dir="auto" {...rest} {...wiring} />}
    </Field>
  );
}

interface ChoiceProps<Value extends string> {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export const optionsOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));

export function Select<Value extends string>({
  value,
  options,
  onChange,
  ...field
}: Omit<FieldProps, "hint" | "error"> & ChoiceProps<Value>) {
  return (
    <Field {...field}>
      {(wiring) => (
        <select className="input" value={value} {...wiring} onChange={(event) => onChange(event.target.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "onChange" | "checked"> {
  readonly label: string;
  readonly labelHidden?: boolean;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, labelHidden = false, checked, onChange, ...rest }: SwitchProps) {
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

export function Choice<Value extends string>({
  legend,
  className = "choice",
  value,
  options,
  onChange,
}: ChoiceProps<Value> & { readonly legend: string; readonly className?: string }) {
  const name = useId();
  return (
    <fieldset className={className}>
      <legend className={className === "choice" ? "field-label" : undefined}>{legend}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              className="visually-hidden"
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
