/** The command that sets a one-time password in the server's terminal. */
export const getResetCommand = (username: string) => `npm run reset-password -- ${username}`;
