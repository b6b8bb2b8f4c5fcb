import { z } from "zod";
import { turnOf } from "../../accounts/turn-of.ts";
import type { Clock } from "../../platform/clock.ts";
import { Problem } from "../../platform/errors.ts";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { readCursor, writeCursor } from "../../platform/http/cursor.ts";
import { readForm } from "../../platform/http/form.ts";
import { parseWith } from "../../platform/http/validate.ts";
import type { VoicePrinter } from "../../ports/voice-printer.ts";
import { problemReplies } from "../fields.ts";
import { getLanguage } from "../speech/find-voice.ts";
import { sendSpeech } from "../speech/send-speech.ts";
import { mannerOf } from "../speech/tones.ts";
import { type BuildParts, startBuildingClones } from "./build-clones.ts";
import { clonePersona } from "./clone-persona.ts";
import { presentPersona } from "./present.ts";
import { getCloner, previewClone } from "./preview-clone.ts";
import { changePersona, describePersona } from "./save-persona.ts";
import {
  clonePreview,
  newClone,
  newPersona,
  persona,
  personaChange,
  personaPage,
  personaPath,
  removedPersona,
} from "./schema.ts";
import type { PersonaRow } from "./store.ts";
import { isPersonaId } from "./use-persona.ts";

export interface PersonaParts extends BuildParts {
  readonly clock: Clock;
  readonly printer?: VoicePrinter | undefined;
}

const onePersona = z.object({ persona });
const pathReplies = { ...problemReplies, 404: problemReplies[400] };
const config = { scope: "voices" };

export function addPersonaRoutes(app: HttpApp, parts: PersonaParts): void {
  startBuildingClones(parts);
  addSaving(app, parts);
  addPreview(app, parts);
  addReading(app, parts);
  app.patch(
    "/v1/personas/:id",
    {
      config,
      schema: {
        summary: "Retune a saved voice",
        params: personaPath,
        body: personaChange,
        response: { 200: onePersona, ...pathReplies },
      },
    },
    async (request) => {
      const workspaceId = request.caller.workspace.id;
      const row = await getPersona(parts, workspaceId, request.params.id);
      const values = changePersona(parts.speech, row, request.body);
      const changed = Object.keys(values).length > 0 ? await parts.personas.update(workspaceId, row.id, values) : row;
      // Somebody else may have removed it in between.
      return { persona: await presentPersona(changed ?? refuse(row.id), parts) };
    },
  );
  app.delete(
    "/v1/personas/:id",
    {
      config,
      schema: {
        summary: "Remove a saved voice, and a clone's clip for good",
        params: personaPath,
        response: { 200: removedPersona, ...pathReplies },
      },
    },
    async (request) => {
      const workspaceId = request.caller.workspace.id;
      const { id } = await getPersona(parts, workspaceId, request.params.id);
      // The key first: should this process end here, the clip is gone already, and the row can be removed again.
      await parts.vault.destroy([id]);
      if (!(await parts.personas.remove(workspaceId, id))) refuse(id);
      return { id, deleted: true as const };
    },
  );
}

function addSaving(app: HttpApp, parts: PersonaParts): void {
  app.post(
    "/v1/personas",
    {
      config: { ...config, bodies: { json: newPersona, form: newClone } },
      schema: { summary: "Save a voice", response: { 201: onePersona, ...problemReplies, 422: problemReplies[400] } },
    },
    async (request, reply) => {
      const { keyId, workspace } = request.caller;
      const owner = { workspaceId: workspace.id, keyId, nowMs: parts.clock.now(), flow: request.id };
      // JSON bundles a base voice; a form brings the clip to clone.
      const wanted = request.isMultipart()
        ? await readForm(request, newClone)
        : parseWith(newPersona, request.body, "The body");
      const clipParts = { ...parts.hearing, printer: parts.printer };
      const row =
        wanted.kind === "clone"
          ? await clonePersona(parts, clipParts, wanted, owner, request.signal)
          : await parts.personas.insert(describePersona(parts.speech, wanted, owner));
      const voice = row.baseVoice ?? undefined;
      Object.assign(request.usage, { voice, language: row.language, audioMs: row.durationMs ?? undefined });
      return reply.code(201).send({ persona: await presentPersona(row, parts) });
    },
  );
}

function addPreview(app: HttpApp, parts: PersonaParts): void {
  app.post(
    "/v1/personas/preview",
    {
      // It speaks and saves nothing.
      config: { scope: "speech", form: clonePreview },
      schema: {
        summary: "Hear a clone before saving it",
        response: { ...problemReplies, 422: problemReplies[400] },
      },
    },
    async (request, reply) => {
      const { file, text, language, tone_preset, style_text, format } = request.body as z.output<typeof clonePreview>;
      const manner = mannerOf(tone_preset, style_text);
      getLanguage(parts.speech.languages(), language);
      const cloner = getCloner(parts.cloner);
      const clipParts = { ...parts.hearing, printer: parts.printer };
      const turn = { key: turnOf(request.caller), flow: request.id };
      const clone = await previewClone(cloner, clipParts, file.bytes, turn, request.signal);
      const wanted = { text, language, speed: 1, clone, manner };
      return sendSpeech({ request, reply, engine: parts.speech, wanted, format, isStreamed: false });
    },
  );
}

function addReading(app: HttpApp, parts: PersonaParts): void {
  app.get(
    "/v1/personas",
    {
      config,
      schema: {
        summary: "List saved voices, newest first",
        querystring: personaPage,
        response: {
          200: z.object({ personas: z.array(persona), nextCursor: z.string().nullable() }),
          ...problemReplies,
        },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const before = cursor === undefined ? undefined : readCursor(cursor, "nextCursor");
      const rows = await parts.personas.list(request.caller.workspace.id, limit + 1, before);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      return {
        personas: await Promise.all(shown.map((row) => presentPersona(row, parts))),
        nextCursor: rows.length > limit && last ? writeCursor(last) : null,
      };
    },
  );
  app.get(
    "/v1/personas/:id",
    {
      config,
      schema: { summary: "One saved voice", params: personaPath, response: { 200: onePersona, ...pathReplies } },
    },
    async (request) => {
      const row = await getPersona(parts, request.caller.workspace.id, request.params.id);
      return { persona: await presentPersona(row, parts) };
    },
  );
}

async function getPersona({ personas }: PersonaParts, workspaceId: string, id: string): Promise<PersonaRow> {
  return (isPersonaId(id) ? await personas.find(workspaceId, id) : undefined) ?? refuse(id);
}

function refuse(id: string): never {
  throw new Problem("not_found", `There is no persona "${id.slice(0, 80)}".`);
}
