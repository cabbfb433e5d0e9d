/** How many answers of a submission are failing. Submissions do not say so yet: none. */
export const countFailures = (submission: object): number =>
  'failures' in submission ? Number(submission.failures) || 0 : 0;

export const hasFailures = (submission: object): boolean => countFailures(submission) > 0;
