// Prints the closing line of a test run: how many passed, failed and were skipped.
import { existsSync, readFileSync } from "node:fs";

const path = process.argv[2];
if (!existsSync(path)) {
  console.log("0 passed, 1 failed");
  process.exit(1);
}
const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(readFileSync(path, "utf8"));
// A file that could not even be loaded counts as a failure too.
const failures = Math.max(numFailedTests, numFailedTestSuites > 0 && numFailedTests === 0 ? numFailedTestSuites : 0);
console.log(`${numPassedTests} passed, ${failures} failed, ${numPendingTests} skipped`);
