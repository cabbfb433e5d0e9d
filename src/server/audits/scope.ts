// Which folders a user sees: those of their parks. Other folders are not found.
import type { ExpressionBuilder, SelectQueryBuilder } from 'kysely';
import type { ParkViewer, Viewer } from '#shared/access.ts';
import { findsRow } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { isOfVisiblePark } from '../user-parks.ts';

/** The condition for every query about folders and their audits. */
export const isInScope = (viewer: ParkViewer) => (eb: ExpressionBuilder<Tables, 'folders'>) =>
  eb.and([eb('folders.deletion_id', 'is', null), isOfVisiblePark('folders.park', viewer)]);

/** Selects the audits that a user sees, with their folders. */
export const selectVisibleAudits = (
  db: Database,
  viewer: ParkViewer,
  audits: SelectQueryBuilder<Tables, 'audits', unknown> = db.selectFrom('audits'),
) =>
  audits
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .where('audits.deletion_id', 'is', null)
    .where(isInScope(viewer));

export const canSeeFolder = (db: Database, viewer: Viewer, folderId: string): Promise<boolean> =>
  findsRow(db.selectFrom('folders').where('id', '=', folderId).where(isInScope(viewer)));

export const canSeeAudit = (db: Database, viewer: Viewer, auditId: string): Promise<boolean> =>
  findsRow(selectVisibleAudits(db, viewer).where('audits.id', '=', auditId));
