import type { LanguageDetails } from "../../../../src/dashboard/contract/catalog.ts";
import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { Field, Select } from "../../components/field.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Badge, EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
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
        (need === "heard" && language.heard !== "no") ||
        (need === "translated" && language.translatesInto.length > 0)),
  );
  return (
    <>
      <PageHeader
        title="Languages"
        description="What this installation can do in each. A preview gives the gist: every third word may be wrong."
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
              { title: "Heard", cell: ({ heard }) => <Quality level={heard} /> },
              {
                title: "Judged by",
                from: "md",
                cell: ({ heardJudgedBy }) => (
                  <span className="text-muted">{heardJudgedBy ? judges[heardJudgedBy] : ""}</span>
                ),
              },
              {
                title: "Translated into",
                cell: ({ translatesInto }) => (
                  <Targets into={translatesInto} nameOf={(code) => names.get(code) ?? code} />
                ),
              },
            ]}
          />
        )}
      </Card>
    </>
  );
}

const judges = {
  recordings: "recordings of people",
  "own voices": "our own voices, heard back",
  published: "published figures",
  operator: "whoever runs the remote engine",
};

function Quality({ level }: { level: LanguageDetails["heard"] }) {
  if (level === "no") return <No />;
  return <Badge tone={level === "yes" ? "good" : "warn"}>{level === "yes" ? "well" : "preview"}</Badge>;
}

function Targets({ into, nameOf }: { into: LanguageDetails["translatesInto"]; nameOf(code: string): string }) {
  if (into.length === 0) return <No />;
  const list = (quality: "good" | "preview") =>
    into
      .filter((one) => one.quality === quality)
      .sort((a, b) => (b.chrf ?? 0) - (a.chrf ?? 0))
      .map(({ code, chrf }) => `${nameOf(code)}${chrf === null ? "" : ` (${Math.round(chrf)})`}`);
  const [good, preview] = [list("good"), list("preview")];
  return (
    <details className="max-w-96 text-sm">
      <summary className="text-muted">
        {good.length > 0 && `${good.length} well`}
        {good.length > 0 && preview.length > 0 && ", "}
        {preview.length > 0 && `${preview.length} as a preview`}
      </summary>
      {good.length > 0 && <p className="mt-1 text-[13px]">Well: {good.join(", ")}.</p>}
      {preview.length > 0 && <p className="mt-1 text-[13px] text-muted">As a preview: {preview.join(", ")}.</p>}
      <p className="mt-1 text-xs text-faint">In brackets: chrF, how close it is to translations by people, of 100.</p>
    </details>
  );
}

function No() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">-</span>
      <span className="sr-only">no</span>
    </span>
  );
}
