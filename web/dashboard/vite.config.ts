import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { contractPlugin } from "./contract-plugin.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** `npm run build` builds into dist; `npm run dev:web` serves with hot reload beside a server on port 8080. */
export default defineConfig({
  root: here,
  plugins: [contractPlugin(), react(), tailwind()],
  build: {
    outDir: join(here, "..", "..", "dist", "web", "dashboard"),
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // Fonts and pictures stay files: the Content-Security-Policy has no data: for fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/dashboard": "http://localhost:8080", "/v1": "http://localhost:8080" } },
});
