import { type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Card } from "../../../components/card.tsx";
import { CheckIcon, CrossIcon, DownloadIcon } from "../../../components/icons.tsx";
import { Badge, Notice } from "../../../components/states.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { DocumentPages } from "./document-pages.tsx";
import { type Extraction, outputFormats, tablesOf, toneOf } from "./extraction.ts";
import { FieldList } from "./field-list.tsx";

interface ExtractionResultProps {
  result: Extraction;
  file: File | undefined;
  onCorrect(name: string, value: unknown): Promise<void>;
  onDownload(format: string): Promise<Blob>;
  /** What can be done with the document besides. */
  actions?: ReactNode;
}

/** Pages and data side by side, linked both ways. */
export function ExtractionResult({ result, file, onCorrect, onDownload, actions }: ExtractionResultProps) {
  const [chosen, setChosen] = useState<string>();
  const save = async (format: string) => {
    const url = URL.createObjectURL(await onDownload(format));
    const link = document.createElement("a");
    link.href = url;
    link.download = `extraction.${format}`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title="Pages" description="Green is sure, amber less so, red is for a person to look at." actions={actions}>
        {file ? (
          <DocumentPages file={file} fields={result.fields} chosen={chosen} onChoose={setChosen} />
        ) : (
          <Notice>The document itself is stored no more. Its data are beside.</Notice>
        )}
      </Card>
      <div className="grid gap-4">
        <Card
          title="Data"
          description={
            <span className="inline-flex flex-wrap gap-1.5">
              <Badge>{result.document_type ?? "document"}</Badge>
              {result.confidence !== null && (
                <Badge tone={toneOf(result.confidence)}>{formatPercent(result.confidence)} sure</Badge>
              )}
            </span>
          }
          actions={outputFormats.map((format) => (
            <Button key={format} isSmall aria-label={`Download ${format}`} onClick={() => save(format)}>
              <DownloadIcon />
              {format}
            </Button>
          ))}
        >
          <FieldList fields={result.fields} chosen={chosen} onChoose={setChosen} onCorrect={onCorrect} />
        </Card>
        {result.checks.length > 0 && (
          <Card title="Checks">
            <ul className="grid gap-2 text-sm" aria-label="Checks">
              {result.checks.map(({ name, passed, message }) => (
                <li key={name} className="flex gap-2">
                  {passed ? (
                    <CheckIcon className="mt-0.5 shrink-0 text-good" />
                  ) : (
                    <CrossIcon className="mt-0.5 shrink-0 text-bad" />
                  )}
                  <span>
                    <span className="sr-only">{passed ? "Holds: " : "Fails: "}</span>
                    <code className="font-mono text-xs text-muted">{name}</code> {message}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {tablesOf(result.data ?? {}).map(({ name, head, rows }) => (
          <Card key={name} isFlush title={name}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard */}
            <section className="max-h-96 overflow-auto" tabIndex={0} aria-label={name}>
              <table className="w-full text-sm">
                <thead>
                  <tr className="border-b text-left text-xs text-faint">
                    {head.map((title, index) => (
                      <th
                        key={`${index} ${title}`}
                        scope="col"
                        className="px-3 py-2 font-medium first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5"
                      >
                        {title}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row, at) => (
                    <tr key={`${at} ${row[0]}`} className="border-b last:border-b-0">
                      {row.map((cell, index) => (
                        <td
                          key={`${index} ${cell}`}
                          className="px-3 py-2 first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5"
                        >
                          {cell}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </Card>
        ))}
      </div>
    </div>
  );
}
