import type { Box } from "../../ports/document-reader.ts";
import type { Segment } from "../reading/layout.ts";

/** Why a value is believed: what the calibrated confidence is computed from. */
export interface Evidence {
  /** How sure the reader was of the characters; 1 for a text layer. */
  readonly reading: number;
  /** 0 to 1: how well label, place and shape fit. */
  readonly fit: number;
  /** An unmistakable label names it. */
  readonly isLabelled: boolean;
  /** Check digits or arithmetic agree (true), disagree (false), or say nothing (undefined). */
  readonly isChecked?: boolean | undefined;
  /** How far it is ahead of the next different candidate, 0 to 1. */
  readonly margin: number;
  /** It was taken from data embedded in the file. */
  readonly isEmbedded?: boolean;
}

/** A value with its place on the page and the reasons to believe it. */
export interface Finding<Value = unknown> {
  readonly value: Value;
  readonly page: number | null;
  readonly box: Box | null;
  readonly evidence: Evidence;
}

export function findingIn<Value>(
  value: Value,
  segment: Segment,
  box: Box,
  evidence: Omit<Evidence, "reading">,
): Finding<Value> {
  return {
    value,
    page: segment.page,
    box,
    evidence: { reading: segment.source === "ocr" ? segment.confidence : 1, ...evidence },
  };
}
