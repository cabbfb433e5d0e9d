// Lists that can be exported, and their formats.
import * as z from 'zod/mini';
import { ActivityQuery } from './activity.ts';
import { AuditState, auditOrders, OpenAuditQuery } from './audits.ts';
import { SubmissionQuery } from './checklists.ts';
import { textLimits } from './choices.ts';
import { AuditsOnDayQuery } from './overview/overview.ts';
import { MessageQuery } from './places/messages.ts';
import { parkListSchema, parkSchema } from './places/park-schemas.ts';
import { ReportQuery } from './reports/reports.ts';
import { CheckQuery } from './schedules/schedules.ts';
import { lineSchema } from './text.ts';

/** In the order in which they are offered. */
export const exportFormats = ['xlsx', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const format = { format: z.enum(exportFormats, 'Choose Excel or CSV') };

/** The filters of a list, without paging. */
export const ReportExportQuery = z.extend(z.omit(ReportQuery, { after: true, limit: true }), format);
export const SubmissionExportQuery = z.extend(
  z.pick(SubmissionQuery, { q: true, title: true, park: true, place: true, from: true, to: true, failing: true }),
  format,
);
export const PlaceExportQuery = z.object({ park: z.optional(parkSchema), ...format });
export const ReadingExportQuery = z.object({
  place: z.string('Choose a place').check(z.minLength(1, 'Choose a place')),
  ...format,
});
export const ActivityExportQuery = z.extend(
  z.pick(ActivityQuery, { q: true, thing: true, changes: true, from: true, to: true }),
  format,
);
export const AuditExportQuery = z.extend(
  z.omit(OpenAuditQuery, { park: true, after: true, limit: true, state: true }),
  {
    ...format,
    /** With `list`, words in audits; otherwise words in a folder's name, description or park. */
    q: z.optional(lineSchema({ max: textLimits.line })),
    park: z.optional(parkListSchema),
    /** The order within each folder; those of a list and of a day have an order of their own. */
    sort: z.optional(
      z.enum(
        auditOrders.map(({ value }) => value),
        'Choose an order',
      ),
    ),
    /** Only audits in this state, in the order of its list; without it, the filters of the list have no effect. */
    list: z.optional(AuditState),
    /** The former list of open audits. */
    open: z.optional(z.literal('yes', "Only 'yes' is accepted")),
    /** Only audits that were in this state at the end of a day. */
    state: z.optional(AuditsOnDayQuery.shape.state),
    on: z.optional(AuditsOnDayQuery.shape.on),
  },
);
export type AuditExportQuery = z.output<typeof AuditExportQuery>;
export const MessageExportQuery = z.extend(z.pick(MessageQuery, { park: true }), format);
export const UserExportQuery = z.object({
  /** Words in a user's names, email address, role or parks. */
  q: z.optional(lineSchema({ max: textLimits.line })),
  ...format,
});
export const CheckExportQuery = z.extend(z.omit(CheckQuery, { after: true, limit: true }), format);
export const ExportQuery = z.object(format);
