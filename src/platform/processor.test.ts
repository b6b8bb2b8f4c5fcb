import { expect, it } from "vitest";
import { computesInHalf, processorKind } from "./processor.ts";

it("is of the kind that decides which graph is right and quickest on it", () => {
  const kind = (arch: string, cpuInfo: string, platform = "linux") => processorKind(arch, platform, () => cpuInfo);
  expect(kind("x64", "flags\t\t: fpu avx2 avx512_vnni")).toBe("x64-vnni");
  expect(kind("x64", "flags\t\t: fpu avx2 avx_vnni f16c")).toBe("x64-vnni");
  expect(kind("x64", "flags\t\t: fpu avx2 f16c")).toBe("x64");
  expect(kind("x64", "", "win32")).toBe("x64");
  expect(kind("arm64", "Features\t: fp asimd asimdhp cpuid")).toBe("arm64-half");
  expect(kind("arm64", "Features\t: fp asimd cpuid")).toBe("arm64");
  expect(kind("arm64", "", "darwin")).toBe("arm64-half");
  expect(["x64-vnni", "arm64-half", "arm64"].map(computesInHalf)).toEqual([false, true, false]);
});
