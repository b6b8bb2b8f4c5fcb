import { type DragEvent, useId, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { formatBytes } from "../lib/format.ts";
import { FileIcon, UploadIcon } from "./icons.tsx";

interface FileDropProps {
  label: string;
  hint?: string;
  /** As in an input: "audio/*,.pdf". */
  accept?: string;
  file: File | undefined;
  takesSeveral?: boolean;
  /** One file, unless several are taken. */
  onFile(...files: [File, ...File[]]): void;
}

/** Takes files by dropping or by choosing them. */
export function FileDrop({ label, hint, accept, file, takesSeveral = false, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (given: FileList | null) => {
    const [first, ...others] = given ?? [];
    if (first) onFile(first, ...(takesSeveral ? others : []));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        "grid cursor-pointer justify-items-center gap-1 rounded-xl border border-dashed px-4 py-7 text-center text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent",
        isOver ? "border-accent bg-accent-soft" : "border-line-strong hover:bg-sunken",
      )}
    >
      <input
        id={id}
        type="file"
        className="sr-only"
        {...(accept ? { accept } : {})}
        multiple={takesSeveral}
        onChange={(event) => take(event.target.files)}
      />
      {file ? <FileIcon className="text-xl text-accent-ink" /> : <UploadIcon className="text-xl text-faint" />}
      <span className="font-medium">{file ? file.name : label}</span>
      <span className="text-[13px] text-faint">
        {file ? `${formatBytes(file.size)}, choose another` : (hint ?? "Drop a file here or choose one")}
      </span>
    </label>
  );
}
