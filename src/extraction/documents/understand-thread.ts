import { parentPort, workerData } from "node:worker_threads";
import { type UnderstandRequest, understand } from "./understand.ts";

/** One long document in a thread of its own. */
parentPort?.postMessage(understand(workerData as UnderstandRequest));
