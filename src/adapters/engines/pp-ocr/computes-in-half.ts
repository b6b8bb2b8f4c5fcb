import { readFileSync } from "node:fs";

/** Whether this processor multiplies 16-bit floats natively. ARM does since v8.2; x64 only converts them. */
export function computesInHalf(arch = process.arch, platform = process.platform, cpuInfo = readCpuInfo): boolean {
  if (arch !== "arm64") return false;
  // Linux says what the processor can do; the other arm64 platforms are all newer than v8.2.
  return platform !== "linux" || /^Features\s*:.*\basimdhp\b/m.test(cpuInfo());
}

function readCpuInfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}
