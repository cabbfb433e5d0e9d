// How the server is set up, for Admins of all parks.
import * as z from 'zod/mini';

/** What can be tested, and the title of its button. */
export const systemTests = {
  email: 'Send Me a Test Email',
  storage: 'Test the Storage',
  provider: 'Test the Provider',
};
export type SystemTest = keyof typeof systemTests;

export const SystemLine = z.object({
  title: z.string(),
  state: z.enum(['on', 'off', 'wrong']),
  /** What that means, in sentences. The first says what is wrong, and is also shown on the overview. */
  text: z.string(),
  /** The names of the settings that it comes from; never their values. */
  settings: z.array(z.string()),
  test: z.optional(z.enum(Object.keys(systemTests) as [SystemTest, ...SystemTest[]])),
});
export type SystemLine = z.output<typeof SystemLine>;

/** The result of a test. `code` is '' if it passed. */
export const SystemTestResult = z.object({ code: z.string(), text: z.string() });
export type SystemTestResult = z.output<typeof SystemTestResult>;

/** The lines that are wrong first, otherwise in their order. */
export const sortByState = (lines: SystemLine[]): SystemLine[] =>
  lines.toSorted((a, b) => Number(b.state === 'wrong') - Number(a.state === 'wrong'));

/** Returns the host of an address, without user, password, path and query; '' if it is not an address. */
export const getHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : '');
