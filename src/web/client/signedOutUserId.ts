/** The user id of items started without a session until a user confirms them. */
export const signedOutUserId = 'nobody';
