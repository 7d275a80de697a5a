import { useState } from "react";
import { useChangePassword } from "../../api/passwords.ts";
import { Button } from "../../components/button.tsx";
import { ChangeDialog } from "../../components/dialog.tsx";
import { Input } from "../../components/field.tsx";
import { NewPassword } from "../../components/new-password.tsx";
import { showToast } from "../../components/toast.tsx";

export function PasswordSection({ email }: { readonly email: string }) {
  const [changing, setChanging] = useState(false);
  return (
    <section className="stack tight">
      <h2>Password</h2>
      <p className="subtitle">Changing it signs you out everywhere else. Your API keys stay.</p>
      <div>
        <Button onClick={() => setChanging(true)}>Change password</Button>
      </div>
      {changing && <ChangePasswordDialog email={email} onClose={() => setChanging(false)} />}
    </section>
  );
}

function ChangePasswordDialog({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const change = useChangePassword(() => {
    onClose();
    showToast("Password changed. You’re signed out everywhere else.");
  });
  return (
    <ChangeDialog
      onClose={onClose}
      title="Change your password"
      change={{ isPending: change.isPending, error: change.error }}
      unchanged="Your password is unchanged."
      onSubmit={() => change.mutate({ current, password })}
      kind="ink"
      keep="Cancel"
      action="Change password"
      busy="Changing…"
    >
      {/* Password managers store the password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Input
        label="Current password"
        type="password"
        name="current-password"
        required
        maxLength={400}
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <NewPassword value={password} onChange={setPassword} />
    </ChangeDialog>
  );
}
