import { readFileSync } from "node:fs";

/** What of a processor decides which graph is right and quickest on it, as one word. Without VNNI x64 adds products of signed bytes with
 *  overflow; ARM multiplies 16-bit floats since v8.2 ("half"), x64 only converts them. */
export function processorKind(
  arch: string = process.arch,
  platform: string = process.platform,
  cpuInfo = readCpuInfo,
): string {
  // Linux says what the processor can do. Elsewhere ARM is newer than v8.2, and nothing is known of x64.
  const features =
    platform === "linux" ? (/^(?:flags|Features)\s*:(.*)$/m.exec(cpuInfo())?.[1] ?? "").split(/\s+/) : [];
  if (arch === "x64") return features.some((one) => /^avx(512)?_vnni$/.test(one)) ? "x64-vnni" : "x64";
  if (arch === "arm64") return platform !== "linux" || features.includes("asimdhp") ? "arm64-half" : "arm64";
  return arch;
}

export function computesInHalf(kind = processorKind()): boolean {
  return kind === "arm64-half";
}

function readCpuInfo(): string {
  try {
    return readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return "";
  }
}
