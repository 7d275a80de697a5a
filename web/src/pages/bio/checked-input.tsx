import { useState, type ComponentProps } from "react";
import { Input, TextArea } from "../../components/field.tsx";
import { useEditor } from "./editor-context.ts";

interface Props extends Omit<ComponentProps<"input">, "onChange" | "value" | "name"> {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly tidy?: (text: string) => string;
  readonly hint?: string;
  readonly lines?: boolean;
  readonly longest?: number;
}

/** Says what is wrong as soon as the field is left, not while somebody is still writing. */
export function CheckedInput({ name, value, onChange, tidy, hint, lines = false, longest, ...rest }: Props) {
  const { problems, strict } = useEditor();
  const [left, setLeft] = useState(false);
  const problem = problems.get(name);
  const shared = {
    name,
    value,
    hint: longest === undefined ? hint : `${hint === undefined ? "" : `${hint} `}${value.length} of ${longest}`,
    error: left || strict || (longest !== undefined && value.length > longest) ? problem : undefined,
    onBlur: () => {
      setLeft(true);
      const tidied = tidy?.(value);
      if (tidied !== undefined && tidied !== value) onChange(tidied);
    },
  };
  const change = (text: string): void => {
    if (problem === undefined) setLeft(false);
    onChange(text);
  };
  if (lines)
    return (
      <TextArea
        label={rest.label}
        placeholder={rest.placeholder}
        {...shared}
        onChange={(event) => change(event.target.value)}
      />
    );
  return <Input {...rest} {...shared} onChange={(event) => change(event.target.value)} />;
}
