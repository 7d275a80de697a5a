import { useState } from "react";

/** The last value of the moments at which all was settled; the first value until then. */
export function useSettled<Value extends object>(value: Value, settled: boolean): Value {
  const [kept, setKept] = useState(value);
  if (!settled || JSON.stringify(kept) === JSON.stringify(value)) return kept;
  setKept(value);
  return value;
}
