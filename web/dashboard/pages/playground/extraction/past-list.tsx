import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { ConfirmDialog } from "../../../components/dialog.tsx";
import { SearchInput } from "../../../components/search-input.tsx";
import { Badge, EmptyState } from "../../../components/states.tsx";
import { Table } from "../../../components/table.tsx";
import { formatDateTime, formatPercent } from "../../../lib/format.ts";
import { type Summary, toneOf } from "./extraction.ts";

interface PastListProps {
  extractions: readonly Summary[];
  /** Fetches more of them, while there are any. */
  onOlder: (() => void) | undefined;
  onOpen(id: string): void;
  onRerun(id: string): void;
  onDelete(id: string): Promise<void>;
}

/** What was extracted before, in this workspace, by anybody. */
export function PastList({ extractions, onOlder, onOpen, onRerun, onDelete }: PastListProps) {
  const [search, setSearch] = useState("");
  const [unwanted, setUnwanted] = useState<Summary>();
  const word = search.trim().toLowerCase();
  const found = extractions.filter(({ file_name, document_type, id }) =>
    `${file_name} ${document_type} ${id}`.toLowerCase().includes(word),
  );
  return (
    <Card
      isFlush
      title="Past extractions"
      description="Documents of this workspace, newest first; kept as long as the server keeps them."
      actions={
        <SearchInput label="Search extractions" value={search} onChange={setSearch} className="w-full sm:w-64" />
      }
    >
      {found.length === 0 ? (
        <EmptyState title={word ? "None fits" : "None yet"}>Drop a document above.</EmptyState>
      ) : (
        <Table
          label="Past extractions"
          rows={found}
          rowKey={({ id }) => id}
          columns={[
            {
              title: "Document",
              cell: ({ id, file_name }) => (
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="text-left font-medium break-all hover:underline"
                >
                  {file_name}
                </button>
              ),
            },
            { title: "Type", from: "md", cell: ({ document_type }) => document_type ?? "" },
            { title: "When", from: "lg", cell: ({ created_at }) => formatDateTime(created_at) },
            {
              title: "Confidence",
              from: "sm",
              cell: ({ confidence, status }) =>
                confidence === null ? (
                  <Badge tone={status === "failed" ? "bad" : "info"}>{status}</Badge>
                ) : (
                  <Badge tone={toneOf(confidence)}>{formatPercent(confidence)}</Badge>
                ),
            },
            {
              title: "Actions",
              isTitleHidden: true,
              isRight: true,
              cell: (one) => (
                <span className="inline-flex flex-wrap justify-end gap-1">
                  <Button isSmall look="quiet" onClick={() => onRerun(one.id)}>
                    Run again
                  </Button>
                  <Button isSmall look="quiet" onClick={() => setUnwanted(one)}>
                    Delete
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {onOlder && (
        <p className="border-t px-4 py-2.5 sm:px-5">
          <Button isSmall onClick={onOlder}>
            Older ones
          </Button>
        </p>
      )}
      <ConfirmDialog
        isOpen={unwanted !== undefined}
        onClose={() => setUnwanted(undefined)}
        title={`Delete ${unwanted?.file_name}?`}
        action="Delete document"
        onConfirm={async () => {
          if (unwanted) await onDelete(unwanted.id);
        }}
      >
        The document and its data are removed from the server.
      </ConfirmDialog>
    </Card>
  );
}
