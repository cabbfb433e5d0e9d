// The audits that make up a number of the overview.
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { countDays } from '#shared/calendar.ts';
import { formatDay, getToday, parseDay } from '#shared/dates.ts';
import type { AuditOnDay } from '#shared/overview/overview.ts';
import { parseParks } from '#shared/park-list.ts';
import { pluralise } from '#shared/pluralise.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { RowsByPark } from './RowsByPark.tsx';

const texts = {
  open: { title: 'Open Audits', none: 'No audits are open.' },
  overdue: { title: 'Overdue Audits', none: 'No audits are overdue.' },
  toVerify: { title: 'Audits to Verify', none: 'No audits need to be verified.' },
};
const states = Object.keys(texts) as (keyof typeof texts)[];

export function AuditsOnDayPage() {
  const showName = useNames();
  const [filters] = useFilters('state', 'on', 'park');
  const state = states.find((name) => name === filters.state) ?? 'open';
  const on = parseDay(filters.on) ?? getToday();
  const park = parseParks(filters.park).join() || undefined;
  const audits = useQuery(queryFor(api.listAuditsOnDay, { query: { state, on, park } }));
  return (
    <>
      <PageHeading
        title={texts[state].title}
        text={`${describeParks(park)}, on ${formatDay(on)}`}
        back={<BackButton to={buildUrl('/overview', { park })}>Overview</BackButton>}
      >
        {Boolean(audits.data?.length) && <ExportButtons list="audits" name="Audits" filters={{ state, on, park }} />}
      </PageHeading>
      <RecordList query={audits} failed="The audits could not be loaded." empty={{ text: texts[state].none }}>
        {(audits) => (
          <RowsByPark
            rows={audits.map((audit) => ({
              id: audit.id,
              park: audit.park,
              to: `/audit/${audit.id}`,
              title: audit.title || 'Untitled Audit',
              facts: [
                audit.folder_name,
                audit.assignee ? showName(audit.assignee) : 'Not assigned',
                state === 'toVerify' ? describeVerifyBy(audit, on) : describeState(audit, on),
              ],
            }))}
          />
        )}
      </RecordList>
    </>
  );
}

function describeVerifyBy({ verify_by }: AuditOnDay, on: string): string {
  const day = verify_by ?? on;
  return day < on ? `${pluralise(countDays(day, on), 'day')} late` : `Verify by ${formatDay(day)}`;
}

function describeState({ date, is_urgent, completed }: AuditOnDay, on: string): string {
  const late = date && date < on && `${pluralise(countDays(date, on), 'day')} late`;
  const parts = [late || (date && `Due ${formatDay(date)}`), is_urgent && 'urgent', completed && 'completed since'];
  return parts.filter(Boolean).join(', ');
}
