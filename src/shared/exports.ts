// Lists that can be exported, and their formats.
import * as z from 'zod/mini';
import { ActivityQuery } from './activity.ts';
import { SubmissionQuery } from './checklists.ts';
import { ReportQuery } from './reports.ts';
import { CheckQuery } from './schedules/schedules.ts';

export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const format = { format: z.enum(exportFormats, 'Choose CSV or Excel') };

/** The filters of a list, without paging. */
export const ReportExportQuery = z.extend(z.omit(ReportQuery, { after: true, limit: true }), format);
export const SubmissionExportQuery = z.extend(
  z.pick(SubmissionQuery, { q: true, title: true, park: true, from: true, to: true, failing: true }),
  format,
);
export const ActivityExportQuery = z.extend(
  z.pick(ActivityQuery, { q: true, thing: true, from: true, to: true }),
  format,
);
export const CheckExportQuery = z.extend(z.omit(CheckQuery, { after: true, limit: true }), format);
export const ExportQuery = z.object(format);
