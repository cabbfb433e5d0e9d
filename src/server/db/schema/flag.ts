/** A boolean as 0 or 1, because SQLite and PostgreSQL have no common type for it. */
export type Flag = 0 | 1;
