// Kysely on one SQLite connection, with prepared statements, and counted commits so that one sync
// can cover several.
import type Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely';
import type { GroupSync } from './group-sync.ts';

/** The number of cached prepared statements; the least recently used is removed first. */
const maxPrepared = 250;
/** Longer statements (bulk inserts) are not cached. */
const maxPreparedLength = 4000;

class SqliteConnection implements DatabaseConnection {
  readonly file: Sqlite.Database;
  /** If set, commits are on disk only after this has synced them. */
  groupSync: GroupSync | undefined;
  readonly #prepared = new Map<string, Sqlite.Statement>();

  constructor(file: Sqlite.Database) {
    this.file = file;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql);
    const isWrite = !statement.readonly;
    if (statement.reader) {
      const rows = statement.all(parameters) as R[];
      if (isWrite) this.#noteCommit();
      return { rows };
    }
    const { changes, lastInsertRowid } = statement.run(parameters);
    // SQLite calls `commit` a read-only statement, so check for it separately.
    if (isWrite || sql === 'commit') this.#noteCommit();
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /**
   * Prepares a statement of its own, because a cached one cannot run again while it is iterated.
   */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.file.prepare(sql).iterate(parameters)) yield { rows: [row as R] };
  }

  /** Counts a commit, which is either a write outside a transaction or the end of a transaction. */
  #noteCommit(): void {
    if (!this.file.inTransaction) this.groupSync?.countCommit();
  }

  #prepare(sql: string): Sqlite.Statement {
    const cached = this.#prepared.get(sql);
    const statement = cached ?? this.file.prepare(sql);
    // Clear the cache when the schema changes, because the cached statements use the old columns.
    if (!cached && /^\s*(?:create|alter|drop)\b/i.test(sql)) this.#prepared.clear();
    if (sql.length > maxPreparedLength) return statement;
    if (cached) this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    if (this.#prepared.size > maxPrepared) this.#prepared.delete(this.#prepared.keys().next().value ?? '');
    return statement;
  }
}

/**
 * Prevents SQLite from planning by the values of parameters, because it would then prepare the
 * statement again each time it runs: a unary plus hides each parameter, and limits are written as
 * numbers. A query can therefore use a partial index on a value only if the value is a literal.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }

  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ');
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) this.append(String(limit.value));
    else this.visitNode(limit);
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  init = async () => {};
  acquireConnection = async () => this.#connection;
  releaseConnection = async () => {};
  beginTransaction = () => this.#run('begin');
  commitTransaction = () => this.#run('commit');
  // SQLite itself has rolled back if the disk is full.
  rollbackTransaction = async () => {
    if (this.#connection.file.inTransaction) await this.#run('rollback');
  };

  async destroy(): Promise<void> {
    await this.#connection.groupSync?.close();
    this.#connection.file.close();
  }

  async #run(statement: string): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw(statement));
  }
}

/** Leads from a database, or a transaction in it, to its connection: both share the adapter. */
class Adapter extends SqliteAdapter {
  readonly connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    super();
    this.connection = connection;
  }
}

export function sqliteDialect(file: Sqlite.Database): Dialect {
  const connection = new SqliteConnection(file);
  return {
    createDriver: () => new SqliteDriver(connection),
    createAdapter: () => new Adapter(connection),
    createQueryCompiler: () => new SqliteCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** The SQLite connection of a database; undefined for PostgreSQL. */
export function getSqliteConnection(db: Pick<Kysely<never>, 'getExecutor'>): SqliteConnection | undefined {
  const { adapter } = db.getExecutor();
  return adapter instanceof Adapter ? adapter.connection : undefined;
}
