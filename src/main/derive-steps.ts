import type { DeriveStep } from "../adapters/models/pull.ts";

/** The steps that models.json names: each makes files of a model from its others, once, when the model is pulled. */
export const deriveSteps: Record<string, DeriveStep> = {};
