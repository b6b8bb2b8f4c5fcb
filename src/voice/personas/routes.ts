import { z } from "zod";
import type { HttpApp } from "../../platform/http/create-server.ts";
import { readForm } from "../../platform/http/form.ts";
import { parseWith } from "../../platform/http/validate.ts";
import { problemReplies } from "../fields.ts";
import { notYet } from "../not-yet.ts";
import { newClone, newPersona, persona, personaChange, personaPage, personaPath } from "./schema.ts";

const onePersona = { 200: z.object({ persona }), ...problemReplies };
const config = { scope: "voices" };

export function addPersonaRoutes(app: HttpApp): void {
  app.post(
    "/v1/personas",
    { config, schema: { summary: "Save a voice", response: { 201: onePersona[200], ...problemReplies } } },
    async (request) => {
      // JSON bundles a base voice; a form brings the clip to clone.
      if (request.isMultipart()) await readForm(request, newClone);
      else parseWith(newPersona, request.body, "The body");
      return notYet("Saving personas");
    },
  );
  app.get(
    "/v1/personas",
    {
      config,
      schema: {
        summary: "List saved voices",
        querystring: personaPage,
        response: { 200: z.object({ personas: z.array(persona) }), ...problemReplies },
      },
    },
    async () => notYet("Listing personas"),
  );
  app.get(
    "/v1/personas/:id",
    { config, schema: { summary: "One saved voice", params: personaPath, response: onePersona } },
    async () => notYet("Reading personas"),
  );
  app.patch(
    "/v1/personas/:id",
    {
      config,
      schema: { summary: "Retune a saved voice", params: personaPath, body: personaChange, response: onePersona },
    },
    async () => notYet("Changing personas"),
  );
  app.delete(
    "/v1/personas/:id",
    { config, schema: { summary: "Remove a saved voice", params: personaPath, response: { ...problemReplies } } },
    async () => notYet("Removing personas"),
  );
}
