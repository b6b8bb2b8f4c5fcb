import type { ApiKeyDetails } from "../../../../src/dashboard/contract/keys.ts";
import { Field, Input } from "../../components/field.tsx";

type Rules = Pick<ApiKeyDetails, "ratePerMinute" | "tokensPerMinute" | "dailyLimitUsd" | "monthlyLimitUsd" | "models">;

/** The limits of a key, in the form that makes it and in the one that changes it. */
export function RuleFields({ rules, errorOf }: { rules?: Rules; errorOf(name: string): string | undefined }) {
  const dollars = { inputMode: "decimal", pattern: "\\d{1,9}(\\.\\d{1,12})?", placeholder: "no limit" } as const;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Requests a minute" isOptional error={errorOf("ratePerMinute")}>
          <Input
            name="ratePerMinute"
            type="number"
            min={1}
            max={1_000_000}
            placeholder="the server's"
            defaultValue={rules?.ratePerMinute ?? ""}
          />
        </Field>
        <Field label="Tokens a minute" isOptional error={errorOf("tokensPerMinute")}>
          <Input
            name="tokensPerMinute"
            type="number"
            min={1}
            max={1_000_000_000}
            placeholder="no limit"
            defaultValue={rules?.tokensPerMinute ?? ""}
          />
        </Field>
        <Field label="USD a day" isOptional error={errorOf("dailyLimitUsd")}>
          <Input name="dailyLimitUsd" {...dollars} defaultValue={rules?.dailyLimitUsd ?? ""} />
        </Field>
        <Field label="USD a month" isOptional error={errorOf("monthlyLimitUsd")}>
          <Input name="monthlyLimitUsd" {...dollars} defaultValue={rules?.monthlyLimitUsd ?? ""} />
        </Field>
      </div>
      <Field
        label="Models"
        isOptional
        hint="Of the gateway, separated by commas; * stands for anything: local/*, openai/gpt-4o."
        error={errorOf("models")}
      >
        <Input name="models" placeholder="every model" defaultValue={rules?.models?.join(", ") ?? ""} />
      </Field>
    </>
  );
}

/** What was typed, as the API takes it. */
export function readRules(typed: Record<string, string | undefined>): Rules {
  const number = (text: string | undefined) => (text ? Number(text) : null);
  const models = (typed.models ?? "").split(/[\s,]+/).filter((name) => name !== "");
  return {
    ratePerMinute: number(typed.ratePerMinute),
    tokensPerMinute: number(typed.tokensPerMinute),
    dailyLimitUsd: typed.dailyLimitUsd || null,
    monthlyLimitUsd: typed.monthlyLimitUsd || null,
    models: models.length > 0 ? models : null,
  };
}
