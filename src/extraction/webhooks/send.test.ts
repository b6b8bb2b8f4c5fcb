import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkWebhookAddress, isPrivateAddress, signBody } from "./send.ts";

describe("webhook addresses", () => {
  it("of private networks and this machine are refused", async () => {
    for (const address of [
      "http://127.0.0.1/x",
      "http://10.1.2.3/",
      "http://[::1]:80/",
      "http://169.254.169.254/latest",
      "http://localhost/x",
      "http://0.0.0.0/",
      "http://[::ffff:127.0.0.1]/",
    ]) {
      await expect(checkWebhookAddress(address, false), address).rejects.toMatchObject({ kind: "invalid_request" });
    }
  });

  it("may be private when the setting allows it", async () => {
    await expect(checkWebhookAddress("http://127.0.0.1/x", true)).resolves.toBeUndefined();
  });

  it("must be plain http or https", async () => {
    for (const address of ["ftp://example.com", "file:///etc/passwd", "nonsense", "http://user:secret@example.com/"]) {
      await expect(checkWebhookAddress(address, true)).rejects.toMatchObject({ kind: "invalid_request" });
    }
  });

  it("are judged by what they resolve to", () => {
    expect(["8.8.8.8", "2001:4860:4860::8888"].map(isPrivateAddress)).toEqual([false, false]);
    expect(
      [
        ...[
          "192.168.1.1",
          "172.20.0.1",
          "100.64.0.1",
          "fe80::1",
          "fd00::1",
          "::7f00:1",
          "::ffff:7f00:1",
          "fe80::1%eth0",
        ],
        ...[
          "fec0::1",
          "2001:0:7f00:1::",
          "2002:7f00:1::",
          "64:ff9b::7f00:1",
          "64:ff9b:1::1",
          "ff02::1",
          "::",
          "255.255.255.255",
        ],
      ].filter((address) => !isPrivateAddress(address)),
    ).toEqual([]);
  });
});

it("a webhook's signature can be recomputed by whoever has the secret", () => {
  const signature = signBody("hash", 1700000000, '{"a":1}');
  const expected = createHmac("sha256", "hash").update('1700000000.{"a":1}').digest("hex");
  expect(signature).toBe(`t=1700000000,v1=${expected}`);
});
