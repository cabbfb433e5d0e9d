// The content of a pack "without names", which contains nothing that identifies a person and no
// text that users typed.
import type { Check } from '#shared/schedules/schedules.ts';
import { activityColumns, auditColumns, checkColumns } from '../exports/lists.ts';
import type { Column } from '../exports/table.ts';

const pick = <Row>(columns: Column<Row>[], headings: string[]) =>
  columns.filter(({ heading }) => headings.includes(heading));

export const historyColumnsWithoutNames = pick(activityColumns(), ['When', 'Action']);
export const auditColumnsWithoutNames = pick(auditColumns, [
  'Park',
  'Date',
  'Time',
  'Urgent',
  'Status',
  'Completed at',
  'Created',
]);

/** Checklists are numbered, because their titles are typed. */
export function createCheckColumnsWithoutNames(): Column<Check>[] {
  const ids: string[] = [];
  const getNumber = (id: string) => {
    if (!ids.includes(id)) ids.push(id);
    return ids.indexOf(id) + 1;
  };
  return checkColumns.flatMap((column): Column<Check>[] => {
    if (column.heading === 'Checklist')
      return [{ ...column, cell: ({ checklist_id }) => `Checklist ${getNumber(checklist_id)}` }];
    if (column.heading === 'Before opening') return [{ ...column, cell: ({ gate }) => gate !== '' }];
    return printedCheckHeadings.includes(column.heading) ? [column] : [];
  });
}

const printedCheckHeadings = [
  ...['Day', 'Park', 'Due from', 'Due until'],
  ...['State', 'Filled in', 'Time from the device', 'Failing answers'],
];
