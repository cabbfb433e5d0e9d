// Creates audits of hazards.
import type { NewAudit } from '#shared/audits.ts';
import { getCapturedAt } from '#shared/date-schemas.ts';
import { getToday } from '#shared/dates.ts';
import { getHazardTitle, isUrgentKind } from '#shared/places/hazards.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { createAuditByRule } from './create-by-rule.ts';

type Hazard = { body: NewAudit & { hazard: NonNullable<NewAudit['hazard']> }; user: SignedInUser; now: Date };

/** Creates the audit in the caller's transaction; returns its id. */
export function createHazard(
  db: Database,
  logActivity: LogActivity,
  { body: { hazard, location, description, media_files, capturedAt }, user, now }: Hazard,
): Promise<string> {
  const { park, kind, wasNearlyHurt } = hazard;
  const is_urgent = isUrgentKind(kind);
  return createAuditByRule(db, logActivity, {
    ...{ park, by: user, now, location, is_urgent, media: media_files, setting: 'hazard_assignee_id' },
    folder: 'hazards',
    title: getHazardTitle(kind, location),
    description: [wasNearlyHurt && 'Someone was nearly hurt.', description].filter(Boolean).join('\n'),
    // Without a date, an urgent audit would be last in the list of open audits, which is sorted by date.
    date: is_urgent ? getToday(now) : null,
    captured_at: getCapturedAt(capturedAt, now),
    source: { thing: 'hazard', label: user.username },
  });
}
