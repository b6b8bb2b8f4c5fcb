import { storableText } from "../../platform/storable.ts";
import type { CostSource } from "./cost.ts";
import type { RequestKind } from "./request-groups.ts";

/** What the books need to know about a request besides its cost. Also in the journal, for a request that is cut off. */
export type Metered = Omit<RequestKind, "costSource">;

/** Longer than the name of any model, and short enough for an index. */
const longestModel = 4_000;
/** Names of models come from outside; so many kinds are remembered. */
const mostKinds = 5_000;
const kinds = new Map<string, RequestKind>();
let last: RequestKind | undefined;

/** The same object for all requests that are alike, so that what they have in common is put into words once. */
export function kindOf(about: Metered, costSource: CostSource): RequestKind {
  if (last && isAlike(last, about) && last.costSource === costSource) return last;
  const { keyId, endpoint, model, provider, upstream } = about;
  // Journals of earlier versions have none.
  const tag = about.tag ?? "";
  const name = `${keyId} ${endpoint} ${upstream} ${costSource} ${tag} ${model}`;
  let kind = kinds.get(name);
  if (!kind) {
    if (kinds.size >= mostKinds) kinds.clear();
    const [storedModel, storedProvider] = [model, provider].map((text) => storableText(text, longestModel)) as [
      string,
      string,
    ];
    kind = { keyId, endpoint, model: storedModel, provider: storedProvider, upstream, tag, costSource };
    kinds.set(name, kind);
  }
  last = kind;
  return kind;
}

function isAlike(kind: Metered, { keyId, endpoint, model, upstream, tag }: Metered): boolean {
  const isSame = kind.keyId === keyId && kind.endpoint === endpoint && kind.model === model && kind.tag === tag;
  return isSame && kind.upstream === upstream;
}
