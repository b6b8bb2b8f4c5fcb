import type { Hold } from "../../credits/books.ts";
import type { Problem } from "../../platform/errors.ts";
import type { UpstreamCall } from "../../ports/model-upstream.ts";
import type { Route } from "../catalog/catalog.ts";
import { affordableTokens, type Estimate } from "../charging/estimate.ts";
import type { ListedModel } from "../charging/prices.ts";
import { withoutExtensions } from "../dialects/chat/write-request.ts";
import type { Translation } from "../dialects/translate.ts";
import { isObject, type Json } from "../json.ts";
import type { CallRequest, UpstreamKind } from "../upstreams/kinds/kind.ts";
import { callUpstream, pathOf, type Upstream } from "../upstreams/upstream.ts";
import type { Calls } from "./ask.ts";
import type { RequestContext } from "./context.ts";
import { editJson, type MemberEdit } from "./edit-json.ts";
import { type FormFor, formsFor } from "./raw-form.ts";

/** What goes to the upstreams of one request: the caller's own bytes, with as little changed as possible, or the same in another
 *  dialect where an upstream does not speak the caller's. */
export class Body<Wanted extends { model: string }> implements Calls {
  /** What the last reply must go through; undefined where it comes in the caller's own dialect. */
  translation: Translation | undefined;
  /** The limit of the output that was set here, to what the balance pays for. */
  setLimit: number | undefined;
  #leavesEffort = false;
  readonly #context: RequestContext<Wanted>;
  readonly #hold: Hold;
  readonly #estimate: Estimate;
  readonly #formFor: FormFor | undefined;

  constructor(context: RequestContext<Wanted>, hold: Hold, estimate: Estimate, formFor: FormFor | undefined) {
    this.#context = context;
    this.#hold = hold;
    this.#estimate = estimate;
    this.#formFor = formFor;
  }

  callFor(route: Route): UpstreamCall | undefined {
    const { endpoint, request } = this.#context;
    const { upstream } = route;
    const path = pathOf(upstream, endpoint.name);
    const lacks = path === undefined || upstream.lacks.has(endpoint.name);
    this.translation = lacks ? this.#translationFor(upstream) : undefined;
    if (this.translation) return this.#translated(this.translation, route);
    const shape = endpoint.ownShape?.(upstream);
    if (shape) return this.#call(route, shape.call(request.body));
    if (path === undefined) return undefined;
    if (this.#formFor) return this.#call(route, { path, ...this.#formFor(upstream) });
    const { isChat = false, outputLimits = [] } = endpoint;
    const body = request.body as Json;
    const outputTokens = this.#affordable(route, outputLimits);
    const extra = endpoint.headers?.(route.model, request);
    const edits = { asksUsage: isChat && body.stream === true, model: extra ? undefined : route.model, outputTokens };
    const bytes = editBody(request.rawBody, body, upstream.kind, edits);
    const call = { path, body: bytes, contentType: "application/json", headers: request.headers };
    return this.#call(route, extra ? { ...call, extra } : call);
  }

  anotherWay(route: Route): UpstreamCall | undefined {
    const { name } = this.#context.endpoint;
    // Whatever is called an upstream chats: something else was not found.
    if (name === "chat/completions" || this.translation) return undefined;
    this.translation = this.#translationFor(route.upstream);
    if (!this.translation) return undefined;
    route.upstream.lacks.add(name);
    return this.#translated(this.translation, route);
  }

  plainer(route: Route, { message }: Problem): UpstreamCall | undefined {
    if (this.translation?.endpoint !== "chat/completions") return undefined;
    if (message.includes(effort)) {
      // That is a matter of the model, and not of the upstream.
      if (this.#leavesEffort) return undefined;
      this.#leavesEffort = true;
    } else {
      if (!route.upstream.takesExtensions || !extensionNames.test(message)) return undefined;
      route.upstream.takesExtensions = false;
    }
    return this.#translated(this.translation, route);
  }

  #translationFor(upstream: Upstream): Translation | undefined {
    const isThere = ({ endpoint }: Translation) => pathOf(upstream, endpoint) && !upstream.lacks.has(endpoint);
    return this.#context.endpoint.translations?.find(isThere);
  }

  #translated({ request, endpoint, outputLimits }: Translation, route: Route): UpstreamCall | undefined {
    const { upstream, model, listed } = route;
    const path = pathOf(upstream, endpoint);
    if (path === undefined) return undefined;
    const isChat = endpoint === "chat/completions";
    const asked = request(this.#context.request.body as Json);
    const wanted = isChat ? fitChat(asked, upstream) : asked;
    if (this.#leavesEffort) delete wanted[effort];
    const limit = limitName(outputLimits, model, listed);
    // Reasoning models take their limit by another name only.
    if (isChat && limit !== "max_tokens" && limit !== undefined && wanted.max_tokens !== undefined) {
      wanted[limit] = wanted.max_tokens;
      delete wanted.max_tokens;
    }
    const asksUsage = isChat && wanted.stream === true;
    const edits = { asksUsage, model, outputTokens: this.#affordable(route, outputLimits) };
    const body = editBody(Buffer.from(JSON.stringify(wanted)), wanted, upstream.kind, edits);
    return this.#call(route, { path, body, contentType: "application/json" });
  }

  #call({ upstream }: Route, request: CallRequest): UpstreamCall {
    const extra = { ...this.#context.trace, ...request.extra };
    return callUpstream(upstream, { ...request, extra });
  }

  /** What the balance pays for, where that is less than was asked for. */
  #affordable({ model, listed }: Route, names: readonly string[]): { name: string; most: number } | undefined {
    const { wanted, shrinkable } = this.#estimate;
    this.setLimit = undefined;
    if (!shrinkable || this.#hold.amount >= wanted) return undefined;
    const name = limitName(names, model, listed);
    if (name === undefined) return undefined;
    this.setLimit = affordableTokens(this.#hold.amount, shrinkable);
    return { name, most: this.setLimit };
  }
}

export async function openBody<Wanted extends { model: string }>(
  context: RequestContext<Wanted>,
  routes: readonly Route[],
  hold: Hold,
  estimate: Estimate,
): Promise<Body<Wanted>> {
  const { endpoint, request } = context;
  const formFor = endpoint.takes === "form" ? await formsFor(routes, request) : undefined;
  return new Body(context, hold, estimate, formFor);
}

const effort = "reasoning_effort";
/** In the refusals of servers that know OpenAI's members only. */
const extensionNames = /cache_control|reasoning|extra_content|providerOptions|plugins|top_k|extra (inputs|fields)/i;

function fitChat(chat: Json, { takesExtensions, kind }: Upstream): Json {
  if (!takesExtensions) return withoutExtensions(chat);
  const { reasoning, ...plain } = chat;
  return kind.takesReasoning && reasoning !== undefined ? chat : plain;
}

/** OpenAI's reasoning models refuse the older name of the two. */
const refusesMaxTokens = /(^|\/)(o\d|gpt-5)/;

/** The name by which this model's output is limited. */
function limitName(names: readonly string[], model: string, listed: ListedModel | undefined): string | undefined {
  const supported = listed?.record.supported_parameters;
  const isSaid = (name: string) => Array.isArray(supported) && supported.includes(name);
  const said = names.find(isSaid);
  return said ?? (refusesMaxTokens.test(model) ? names.at(-1) : names[0]);
}

export interface BodyEdits {
  /** Asks for usage at the end of a stream. */
  asksUsage: boolean;
  /** Cuts the output to what the balance pays for. */
  outputTokens?: { name: string; most: number } | undefined;
  /** What the upstream calls the model, where the caller used another name. */
  model?: string | undefined;
}

/** The request as it goes upstream: the caller's own bytes, with as little added as possible. What must leave is cut out, and of two
 *  members with one name the last stays, so that nobody can understand them differently. */
export function editBody(raw: Buffer, body: Json, kind: UpstreamKind, edits: BodyEdits): Buffer {
  const added = addedMembers(body, edits);
  const isCut = hasTwin(raw) || forbidsAny(kind, body);
  if (!added && !isCut) return raw;
  return editMembers(raw, body, kind, added ?? {}, isCut);
}

function editMembers(raw: Buffer, body: Json, kind: UpstreamKind, added: Json, isCut: boolean): Buffer {
  const replaced = Object.keys(added).filter((name) => Object.hasOwn(body, name));
  if (!isCut && replaced.length === 0) return insert(raw, JSON.stringify(added).slice(1, -1));
  const text = editJson(raw.toString("utf8"), body, (path) => decide(path, kind, added));
  const missing = Object.entries(added).filter(([name]) => !replaced.includes(name));
  const bytes = Buffer.from(text, "utf8");
  return missing.length === 0 ? bytes : insert(bytes, JSON.stringify(Object.fromEntries(missing)).slice(1, -1));
}

function addedMembers(body: Json, { asksUsage, outputTokens, model }: BodyEdits): Json | undefined {
  const options = isObject(body.stream_options) ? body.stream_options : undefined;
  const lacksUsage = asksUsage && options?.include_usage !== true;
  const isRenamed = model !== undefined && model !== body.model;
  if (!lacksUsage && !outputTokens && !isRenamed) return undefined;
  const added: Json = {};
  if (lacksUsage) added.stream_options = { ...options, include_usage: true };
  if (outputTokens) added[outputTokens.name] = outputTokens.most;
  if (isRenamed) added.model = model;
  return added;
}

function forbidsAny(kind: UpstreamKind, body: Json): boolean {
  if (!kind.forbids && !kind.forbidsOption) return false;
  return Object.keys(body).some((name) => kind.forbids?.(name) || (kind.forbidsOption && name === "providerOptions"));
}

function decide(path: readonly (string | number)[], kind: UpstreamKind, added: Json): MemberEdit {
  const [name, inner, option] = path as string[];
  if (path.length === 1) {
    if (kind.forbids?.(name!)) return { remove: true };
    if (Object.hasOwn(added, name!)) return { replace: JSON.stringify(added[name!]) };
    return name === "providerOptions" && kind.forbidsOption ? undefined : "skip";
  }
  if (path.length === 2) return inner === "gateway" ? undefined : "skip";
  return kind.forbidsOption!(option!) ? { remove: true } : "skip";
}

/** After the opening brace; the body is an object that holds at least the model. */
function insert(raw: Buffer, members: string): Buffer {
  const at = raw.indexOf(0x7b) + 1;
  return Buffer.concat([raw.subarray(0, at), Buffer.from(`${members},`), raw.subarray(at)]);
}

const modelKey = Buffer.from('"model"');
const escapedLetter = Buffer.from("\\u006");

/** Perhaps two members called "model": we would price the last, and the upstream might serve the first. */
function hasTwin(raw: Buffer): boolean {
  const first = raw.indexOf(modelKey);
  if (first < 0) return true;
  // An escaped letter, as in "mod\\u0065l", may hide a twin.
  return raw.indexOf(modelKey, first + 1) >= 0 || raw.includes(escapedLetter);
}
