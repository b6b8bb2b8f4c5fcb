/** A value that a language model read, with the line it says it read it from. */
export interface ModelAnswer {
  readonly value: unknown;
  readonly line: number | null;
}

/** One entry of a list, by the names of its columns. */
export type ModelRow = Readonly<Record<string, ModelAnswer>>;

export type ModelAnswers = Readonly<Record<string, ModelAnswer | readonly ModelRow[]>>;

export interface FieldQuestion {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** Of a list: what is asked of each of its entries. */
  readonly columns?: readonly FieldQuestion[];
}

/** Reads fields out of the lines of a document. What it says is a claim: the caller checks each one against the cited line. */
export interface FieldModel {
  /** Answers what it can; a missing answer is left out. Throws a Problem when the model cannot be reached. */
  read(lines: readonly string[], questions: readonly FieldQuestion[], signal: AbortSignal): Promise<ModelAnswers>;
}
