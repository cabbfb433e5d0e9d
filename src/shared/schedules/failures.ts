/** Counts the failing answers of a stored submission. */
export const countFailures = (submission: { failures: number }): number => submission.failures;

export const hasFailures = (submission: { failures: number }): boolean => submission.failures > 0;
