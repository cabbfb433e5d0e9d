// Names of the counters in which the first steps are noted.
export const marksPrefix = 'first steps: ';
export const emailArrivedName = 'email arrived';
/** Set until the first Admin changes the password from the start. */
export const firstPasswordName = (userId: string) => `${marksPrefix}password of ${userId}`;
