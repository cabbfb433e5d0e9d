/** The user id of items that were started without a session and that no user has confirmed yet. */
export const nobodysId = 'nobody';
