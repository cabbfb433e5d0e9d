/** A boolean: the databases have no type for it in common. */
export type Flag = 0 | 1;
