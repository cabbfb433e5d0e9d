import { getRange, writeRecords } from './database.ts';

/** The keys of a user's offline copies start with this. */
export const userCopiesPrefix = 'copy/user/';

/** Deletes the offline copies of all users. */
export const deleteUserCopies = () => writeRecords({ delete: [getRange(userCopiesPrefix)] });
