/**
 * Rows read at a time from a list that is sent whole. With pages of 500, most objects outlived the
 * minor garbage collections, so that exports used up to 120 MB more until the next full collection.
 */
export const pageSize = 100;
