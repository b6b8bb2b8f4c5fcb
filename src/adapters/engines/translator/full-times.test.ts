import { expect, it } from "vitest";
import { writeFullTimes } from "./full-times.ts";

it.each([
  ["The meeting is at 10 AM on Thursday.", "The meeting is at 10:00 on Thursday."],
  ["We close at 5:30 p.m.", "We close at 17:30."],
  ["from 9am to 12pm", "from 9:00 to 12:00"],
  ["12 AM", "0:00"],
  ["I am 10 and I am here.", "I am 10 and I am here."],
  ["10 amps", "10 amps"],
  ["version 1.10 am", "version 1.10 am"],
])("%s", (written, read) => {
  expect(writeFullTimes(written, "en")).toBe(read);
  expect(writeFullTimes(written, "de")).toBe(written);
});
