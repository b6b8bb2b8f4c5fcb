import { shortestPassword } from "virtual:contract";
import { useState } from "react";
import { Field } from "../../components/field.tsx";

interface PasswordFieldProps {
  name?: string;
  label?: string;
  /** A password that is being chosen: says the rule and lets password managers make one. */
  isNew?: boolean;
  error?: string | undefined;
}

export function PasswordField({ name = "password", label = "Password", isNew = false, error }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="relative">
      <Field
        label={label}
        error={error}
        hint={isNew ? `At least ${shortestPassword} characters. A few words you will remember are best.` : undefined}
      >
        <input
          name={name}
          type={isShown ? "text" : "password"}
          required
          minLength={isNew ? shortestPassword : 1}
          maxLength={256}
          autoComplete={isNew ? "new-password" : "current-password"}
          className="control"
        />
      </Field>
      <button
        type="button"
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute top-0 right-0 rounded text-[13px] text-accent-ink hover:underline"
      >
        {isShown ? "Hide" : "Show"}
        <span className="sr-only"> {label.toLowerCase()}</span>
      </button>
    </div>
  );
}
