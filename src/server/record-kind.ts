// What the server does with each kind of record: how it is declared. Each is declared in the folder of its feature;
// records/kinds.ts lists them.
import type { RecordKindName } from '#shared/record-kinds.ts';
import type { Config } from './config.ts';
import type { Database, Tables } from './db/schema.ts';

export type Table = keyof Tables;
type AttachedTo = NonNullable<Tables['uploads']['attached_to']>;

/** Rows that belong to a record and are deleted with it. */
export type ChildRows = {
  table: Table;
  /** The column with the id of the record; or, with `through`, of a row of that child. */
  of: string;
  through?: Table;
  /** What uploads of a row are attached to, if it may have some. */
  uploads?: AttachedTo;
  /** Whether its rows have no column `id`. */
  isWithoutId?: true;
};

/** A record whose retention period may be over. */
export type DueFacts = {
  label: string;
  /** The last day of its period. */
  until: string;
  /** The day of the accident, or on which the record was completed or closed. */
  day: string;
  /** The park; missing if the record has none. */
  place?: string;
  /** What kind of report, or the title of a checklist. */
  kind?: string;
  /** The name of the period that applies, and its legal source, if it is not the operator's own. */
  class: string;
  source?: string;
};

export type RetentionSettings = Config['retention'];

/** What is counted of a destroyed record: nothing about a person. */
export type CountedRecord = Pick<Tables['record_statistics'], 'park' | 'month'> &
  Partial<Omit<Tables['record_statistics'], 'park' | 'month' | 'count'>>;

export type RecordKind<T extends Table = Table> = {
  table: T;
  /** Tables with rows that belong to it, in the order in which they are deleted. */
  children?: ChildRows[];
  /** Records that are contained in it: their kind, and the column with its id. */
  contains?: { kind: RecordKindName; of: string };
  /** What its own uploads are attached to. */
  uploads?: AttachedTo;
  /** Its park as an SQL expression over its table. */
  park?: string;
  /** The column with the names of its parks, if it may have several. */
  parks?: 'parks';
  /** How a search for a person shows it. Missing if it never names one. */
  found?: {
    label(row: Tables[T]): string;
    images?(row: Tables[T]): (string | null)[];
    /** The contact number of the person in the field `name`. */
    number?(row: Tables[T]): string;
  };
  /** What a copy for a person says about why such records are kept. */
  purpose: string;
  /** Who reads entries of the activity log about it: of a kind with `ofItsPark`, only those who see its park. */
  log: { readers: 'reviewers' | 'Admins' };
  /** Missing for records that are not deleted by users. */
  bin?: {
    /** Throws 409 if the record cannot be restored now: what contains it is deleted. */
    assertRestorable?(db: Database, deletionId: string): Promise<void>;
    /** Restores it. Missing if it is enough to clear `deletion_id` of it and of what was deleted with it. */
    restore?(db: Database, deletionId: string, now: Date): Promise<void>;
    /** Whether its rows stay for good: other records refer to them. */
    isNeverPurged?: true;
  };
  retention?: {
    /** The column with the time from which its period runs at the earliest. */
    from: string;
    /** The least number of years of a period; 0 if a period may end at once. */
    minYears(settings: RetentionSettings): number;
    /** Which rows may be due, as a condition in SQL. */
    condition?: string;
    /** Returns until when a row is kept, and what a list shows of it. Returns undefined if it has no end yet. */
    dueFrom(row: Tables[T], db: Database, settings: RetentionSettings): Promise<DueFacts | undefined>;
    /** What lists and replies that are stored call it, if its label names a person. */
    storedLabel?: string;
    /** Returns what is counted when it is destroyed. Missing if such records are not counted. */
    toCount?(row: Tables[T], db: Database): Promise<CountedRecord>;
    /** Destroys it, if its row stays. Returns its label from then on. */
    destroy?(db: Database, id: string): Promise<string | undefined>;
  };
  /** Returns what packs contain of it: records, or the checks of a park. Missing if it is in none. */
  listPackItems?(db: Database, id: string): Promise<{ thing: Tables['pack_items']['thing']; thing_id: string }[]>;
  /** Records to destroy with it once they have lost their last record of this kind. */
  orphans?: { kind: RecordKindName; list(db: Database): Promise<string[]> };
};

/** A kind whose park is known. */
export type KindOfPark<T extends Table = Table> = RecordKind<T> & ({ park: string } | { parks: 'parks' });

/** Declares a kind of record, with rows of its own table. */
export function declareKind<T extends Table>(kind: KindOfPark<T>): KindOfPark<T>;
export function declareKind<T extends Table>(kind: RecordKind<T>): RecordKind<T>;
export function declareKind<T extends Table>(kind: RecordKind<T>): RecordKind<T> {
  return kind;
}
