import { useMemo } from "react";
import type { GatewayModel } from "../../../../src/dashboard/contract/catalog.ts";
import { useApi } from "../../api/use-api.ts";
import { Card, PageHeader } from "../../components/card.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Badge, EmptyState, ErrorState, Notice, SkeletonRows } from "../../components/states.tsx";
import { Table } from "../../components/table.tsx";
import { formatCompact, formatUsd } from "../../lib/format.ts";
import { useSearchState } from "../../lib/use-search-state.ts";

/** A table of thousands would be slow and of no use: search narrows it down. */
const mostShown = 200;

export default function ModelsPage() {
  const models = useApi("listModels");
  const [search, setSearch] = useSearchState("q", "");
  const [type, setType] = useSearchState("type", "all");
  const [provider, setProvider] = useSearchState("provider", "all");
  const [sort, setSort] = useSearchState<"name" | "price" | "context">("sort", "name");
  const all = models.data?.models ?? [];
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    return all
      .filter((model) => type === "all" || model.type === type)
      .filter((model) => provider === "all" || model.provider === provider)
      .filter((model) =>
        words.every((word) => `${model.id} ${model.name} ${model.description}`.toLowerCase().includes(word)),
      )
      .sort(orders[sort] ?? orders.name);
  }, [all, search, type, provider, sort]);
  return (
    <>
      <PageHeader
        title="Models"
        description="What the gateway can call, with prices for a million tokens, everything included."
      />
      {models.data?.problem && <Notice tone="warn">{models.data.problem}</Notice>}
      <div className="grid gap-2 sm:flex sm:flex-wrap">
        <SearchInput label="Search models" value={search} onChange={setSearch} className="sm:w-72" />
        <Choice label="Kind" value={type} onChange={setType} all="All kinds" values={all.map((model) => model.type)} />
        <Choice
          label="Provider"
          value={provider}
          onChange={setProvider}
          all="All providers"
          values={all.map((model) => model.provider)}
        />
        <Field label="Order" isLabelHidden>
          <Select value={sort} onChange={(event) => setSort(event.target.value as "name")}>
            <option value="name">By name</option>
            <option value="price">Cheapest first</option>
            <option value="context">Longest context first</option>
          </Select>
        </Field>
      </div>
      <Card isFlush>
        {models.isPending ? (
          <SkeletonRows rows={8} />
        ) : models.error ? (
          <ErrorState error={models.error} onRetry={() => models.refetch()} />
        ) : found.length === 0 ? (
          <EmptyState title="No model fits">Try fewer words or another kind.</EmptyState>
        ) : (
          <ModelTable models={found.slice(0, mostShown)} />
        )}
        {found.length > mostShown && (
          <p className="border-t p-3 text-center text-sm text-muted">
            {mostShown} of {found.length} are shown. Search to narrow them down.
          </p>
        )}
      </Card>
    </>
  );
}

const orders = {
  name: (a: GatewayModel, b: GatewayModel) => a.name.localeCompare(b.name),
  price: (a: GatewayModel, b: GatewayModel) => priceOf(a) - priceOf(b),
  context: (a: GatewayModel, b: GatewayModel) => (b.contextWindow ?? 0) - (a.contextWindow ?? 0),
};

function priceOf({ isLocal, inputPerMillionUsd }: GatewayModel): number {
  return isLocal ? 0 : inputPerMillionUsd === null ? Number.POSITIVE_INFINITY : Number(inputPerMillionUsd);
}

function Choice(props: { label: string; value: string; all: string; values: string[]; onChange(value: string): void }) {
  return (
    <Field label={props.label} isLabelHidden>
      <Select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        <option value="all">{props.all}</option>
        {[...new Set(props.values)].sort().map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function ModelTable({ models }: { models: readonly GatewayModel[] }) {
  const price = (model: GatewayModel, amount: string | null) =>
    model.isLocal ? "free" : amount === null ? otherPrice(model) : formatUsd(amount);
  return (
    <Table
      label="Models"
      rows={models}
      rowKey={({ id }) => id}
      columns={[
        {
          title: "Model",
          className: "max-w-80",
          cell: (model) => (
            <div className="grid gap-0.5">
              <span className="flex items-center gap-2 font-medium">
                <span className="truncate">{model.name}</span>
                {model.isLocal && <Badge tone="accent">in this server</Badge>}
              </span>
              <span className="flex min-w-0 items-center">
                <code className="truncate font-mono text-xs text-faint">{model.id}</code>
                <CopyButton text={model.id} label={`Copy ${model.id}`} isIcon />
              </span>
            </div>
          ),
        },
        { title: "Kind", from: "sm", cell: ({ type }) => <Badge>{type}</Badge> },
        { title: "Provider", from: "lg", cell: ({ provider }) => provider },
        {
          title: "Context",
          isRight: true,
          from: "md",
          cell: ({ contextWindow }) => (contextWindow === null ? "" : formatCompact(contextWindow)),
        },
        { title: "Input", isRight: true, cell: (model) => price(model, model.inputPerMillionUsd) },
        { title: "Output", isRight: true, from: "sm", cell: (model) => price(model, model.outputPerMillionUsd) },
      ]}
    />
  );
}

function otherPrice({ otherPrices }: GatewayModel): string {
  const [first] = Object.entries(otherPrices);
  return first ? `${formatUsd(first[1])} ${first[0].replaceAll("_", " ")}` : "";
}
