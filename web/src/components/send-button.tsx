import { Button } from "./button.tsx";

interface Props {
  readonly url: string;
  readonly size?: "small" | undefined;
}

/** Opens the device's own list of people and programs, where there is one. Closing it again is no failure. */
export function SendButton({ url, size }: Props) {
  if (!("share" in navigator)) return null;
  return (
    <Button icon="share" size={size} onClick={() => void navigator.share({ url }).catch(() => undefined)}>
      Send link
    </Button>
  );
}
