import { Input } from "./field.tsx";

interface Props {
  readonly value: string;
  readonly onChange: (password: string) => void;
}

export const NewPassword = ({ value, onChange }: Props) => (
  <Input
    label="New password"
    hint="At least 12 characters."
    type="password"
    name="new-password"
    required
    maxLength={400}
    autoComplete="new-password"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);
