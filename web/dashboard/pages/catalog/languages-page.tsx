import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { Field, Select } from "../../components/field.tsx";
import { CheckIcon } from "../../components/icons.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatPercent } from "../../lib/format.ts";
import { useSearchState } from "../../lib/use-search-state.ts";

type Need = "any" | "spoken" | "heard" | "translated";

export default function LanguagesPage() {
  const languages = useApi("listLanguages");
  const [search, setSearch] = useSearchState("q", "");
  const [need, setNeed] = useSearchState<Need>("can", "any");
  const word = search.toLowerCase().trim();
  const all = languages.data?.languages ?? [];
  const names = new Map(all.map(({ code, label }) => [code, label]));
  const found = all.filter(
    (language) =>
      `${language.label} ${language.code}`.toLowerCase().includes(word) &&
      (need === "any" ||
        (need === "spoken" && language.voices > 0) ||
        (need === "heard" && language.isHeard) ||
        (need === "translated" && language.translatesInto.length > 0)),
  );
  return (
    <>
      <PageHeader
        title="Languages"
        description="What this installation can do in each. Quality was measured on public test sets with the engines that come with it."
      />
      <div className="grid gap-2 sm:flex">
        <SearchInput label="Search languages" value={search} onChange={setSearch} className="sm:w-72" />
        <Field label="What it can do" isLabelHidden>
          <Select value={need} onChange={(event) => setNeed(event.target.value as Need)}>
            <option value="any">Can do anything</option>
            <option value="spoken">Spoken</option>
            <option value="heard">Heard</option>
            <option value="translated">Translated</option>
          </Select>
        </Field>
      </div>
      <Card isFlush>
        {languages.isPending ? (
          <SkeletonRows rows={8} />
        ) : languages.error ? (
          <ErrorState error={languages.error} onRetry={() => languages.refetch()} />
        ) : found.length === 0 ? (
          <EmptyState title="No language fits" />
        ) : (
          <Table
            label="Languages"
            rows={found}
            rowKey={({ code }) => code}
            columns={[
              {
                title: "Language",
                cell: ({ label, code }) => (
                  <span className="grid">
                    <span className="font-medium">{label}</span>
                    <code className="font-mono text-xs text-faint">{code}</code>
                  </span>
                ),
              },
              { title: "Voices", isRight: true, cell: ({ voices }) => (voices > 0 ? voices : <No />) },
              { title: "Heard", cell: ({ isHeard }) => (isHeard ? <Yes /> : <No />) },
              {
                title: "Words heard wrong",
                isRight: true,
                from: "md",
                cell: ({ quality }) =>
                  quality.wordErrorRate === null ? <No text="not measured" /> : formatPercent(quality.wordErrorRate),
              },
              {
                title: "Translates into",
                isRight: true,
                cell: ({ translatesInto }) =>
                  translatesInto.length > 0 ? (
                    <span title={translatesInto.map((code) => names.get(code) ?? code).join(", ")}>
                      {translatesInto.length}
                    </span>
                  ) : (
                    <No />
                  ),
              },
              {
                title: "chrF into English",
                isRight: true,
                from: "md",
                cell: ({ quality }) =>
                  quality.chrfIntoEnglish === null ? <No text="not measured" /> : quality.chrfIntoEnglish.toFixed(1),
              },
            ]}
          />
        )}
      </Card>
    </>
  );
}

function Yes() {
  return (
    <span className="text-good">
      <CheckIcon />
      <span className="sr-only">yes</span>
    </span>
  );
}

function No({ text = "no" }: { text?: string }) {
  return (
    <span className="text-faint">
      <span aria-hidden="true">-</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
