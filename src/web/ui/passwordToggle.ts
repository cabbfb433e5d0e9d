/** The eye in a password field: reachable by keyboard, with a name. */
export const passwordToggle = { 'aria-label': 'Show the password', tabIndex: 0, 'aria-hidden': false } as const;
