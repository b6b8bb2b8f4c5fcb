import { busContract } from "../../ports/bus.contract.ts";
import { createMemoryBus } from "./memory-bus.ts";

const shared = createMemoryBus();
busContract("memory", async () => shared);
