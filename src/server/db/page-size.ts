/**
 * Rows read at a time from a list that is sent whole. Of pages of 500, most survived two collections
 * of new objects, so that exports kept up to 120 MB more until the next full collection.
 */
export const pageSize = 100;
