/** The user id of what was started without a session, and belongs to nobody until someone confirms that it is theirs. */
export const nobodysId = 'nobody';
