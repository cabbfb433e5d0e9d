/** What the paths of uploads begin with, in URLs and in the database. */
export const uploadsFolder = '/uploads/';

/** The path of an upload in the file store. */
export const getFilePath = (uploadPath: string) => uploadPath.slice(uploadsFolder.length);
