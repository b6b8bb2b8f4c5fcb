import { PipecatClientAudio, PipecatClientProvider, usePipecatConversation } from "@pipecat-ai/client-react";
import { createElement as element } from "react";
import { createRoot } from "react-dom/client";
import "./page.js";

/** The conversation as a React app of others would show it. */
function Conversation() {
  const { messages } = usePipecatConversation();
  return element(
    "ul",
    null,
    messages.map(({ role, parts, createdAt }) =>
      element("li", { key: role + createdAt, className: role }, parts.map(({ text }) => show(text)).join(" ")),
    ),
  );
}

function show(text) {
  return typeof text === "object" ? `${text.spoken ?? ""}${text.unspoken ?? ""}` : text;
}

window.onClient = (client) => {
  const app = element(PipecatClientProvider, { client }, element(Conversation), element(PipecatClientAudio));
  createRoot(document.getElementById("root")).render(app);
};
