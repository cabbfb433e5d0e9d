/** The prefix of upload paths in URLs and in the database. */
export const uploadsFolder = '/uploads/';

/** Returns the path of an upload in the file store. */
export const getFilePath = (uploadPath: string) => uploadPath.slice(uploadsFolder.length);
