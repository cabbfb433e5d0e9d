/**
 * Returns the median of the values: the upper of the two in the middle if their number is even; 0
 * if there are none.
 */
export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
