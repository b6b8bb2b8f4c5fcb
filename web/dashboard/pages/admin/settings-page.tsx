import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Badge, EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSearchState } from "../../lib/use-search-state.ts";

export default function SettingsPage() {
  const settings = useApi("listSettings");
  const [search, setSearch] = useSearchState("q", "");
  const word = search.toLowerCase().trim();
  const found = (settings.data?.settings ?? []).filter(({ name, help, group }) =>
    `${name} ${help} ${group}`.toLowerCase().includes(word),
  );
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <>
      <PageHeader
        title="Server settings"
        description="Environment variables of this server. They are changed where it runs, and take effect at its next start."
      />
      <SearchInput label="Search settings" value={search} onChange={setSearch} className="sm:w-80" />
      {settings.isPending ? (
        <Card isFlush>
          <SkeletonRows rows={8} />
        </Card>
      ) : settings.error ? (
        <Card>
          <ErrorState error={settings.error} onRetry={() => settings.refetch()} />
        </Card>
      ) : groups.length === 0 ? (
        <Card>
          <EmptyState title="No setting fits" />
        </Card>
      ) : (
        groups.map((group) => (
          <Card key={group} isFlush title={group[0]?.toUpperCase() + group.slice(1)}>
            <dl>
              {found
                .filter((setting) => setting.group === group)
                .map(({ name, help, value, isSecret, source }) => (
                  <div
                    key={name}
                    className="grid gap-x-6 gap-y-1 border-b px-4 py-3 text-sm last:border-b-0 sm:px-5 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
                  >
                    <dt className="min-w-0">
                      <code className="font-mono text-[13px] font-medium break-all">{name}</code>
                      <p className="mt-0.5 text-[13px] text-muted">{help}</p>
                    </dt>
                    <dd className="flex min-w-0 items-start gap-2">
                      <code className="min-w-0 flex-1 font-mono text-[13px] break-all">
                        {isSecret ? (
                          source === "default" ? (
                            "not set"
                          ) : (
                            "set, not shown"
                          )
                        ) : value === null || value === "" ? (
                          <span className="text-faint">empty</span>
                        ) : (
                          value
                        )}
                      </code>
                      <Badge tone={source === "default" ? "info" : "accent"}>{source}</Badge>
                    </dd>
                  </div>
                ))}
            </dl>
          </Card>
        ))
      )}
    </>
  );
}
