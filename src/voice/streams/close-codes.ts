/** Why a socket was closed, as clients see it. */
export const closeCodes = {
  normal: 1000,
  engineFailed: 1011,
  restarting: 1012,
  malformed: 4400,
  badToken: 4401,
  idle: 4408,
} as const;
