import { Box, Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type AuditState, auditSources, auditStates } from '#shared/audits.ts';
import { allParks } from '#shared/choices.ts';
import { listParks } from '#shared/park-list.ts';
import { queryFor } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { PlaceFilter, usePlaceFilter } from '../../parks/PlaceFilter.tsx';
import { PeoplePicker } from '../../people/PeoplePicker.tsx';
import { bindFilters } from '../../ui/forms/bindFilters.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { SearchBox } from '../../ui/forms/SearchBox.tsx';
import { usePausedText } from '../../ui/forms/useSyncedText.ts';
import styles from './OpenAudits.module.css';

type Filters = Record<
  'q' | 'state' | 'park' | 'place' | 'folder' | 'assignee' | 'unassigned' | 'overdue' | 'urgent' | 'source',
  string
>;

const stateLabels: Record<AuditState, string> = {
  toComplete: 'Open',
  open: 'Open and To Verify',
  verify: 'To Verify',
  completed: 'Completed',
  all: 'Open and Completed',
};
const checkboxLabels = { overdue: 'Overdue', urgent: 'Urgent', unassigned: 'Unassigned' };
const sourceLabels = {
  report: 'Reports',
  submission: 'Checklists',
  audit: 'Other audits',
  hazard: 'Hazards',
  investigation: 'Investigations',
  message: 'Messages from guests',
  lesson: 'Lessons',
};

type OpenAuditFiltersProps = {
  filters: Filters;
  filter: (changes: Partial<Filters>) => void;
  /** Shown beside the search. */
  children: ReactNode;
};

/** A search, and the filters behind one button. */
export function OpenAuditFilters({ filters, filter, children }: OpenAuditFiltersProps) {
  const user = useUser();
  const { data: folders = [] } = useQuery(queryFor(api.listFolders));
  const [assignee, setAssignee] = usePausedText(filters.assignee, (assignee) => filter({ assignee }));
  const ownParks = user.parks ?? listParks();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const place = usePlaceFilter(filters.place);
  const { field, checkbox } = bindFilters(filters, filter, 'yes');
  const { q, ...others } = filters;
  const count = Object.values(others).filter(Boolean).length;
  return (
    <>
      <Box className="wrap line" mb="sm">
        <Box flex="1 1 8rem" maw="32rem">
          <SearchBox label="Search audits..." value={q} onSearch={(q) => filter({ q })} />
        </Box>
        <IconButton
          icon={ListFilter}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {`Filters${count > 0 ? ` (${count})` : ''}`}
        </IconButton>
        {children}
      </Box>
      {isOpen && (
        <div id={id} className={styles.filters}>
          <NativeSelect
            {...field('state')}
            label="State"
            data={auditStates.map((value) => ({
              value: value === 'toComplete' ? '' : value,
              label: stateLabels[value],
            }))}
          />
          {ownParks.length > 1 && (
            <NativeSelect
              {...field('park', { folder: '' })}
              label="Park"
              data={[{ value: '', label: allParks }, ...ownParks]}
            />
          )}
          <NativeSelect
            {...field('folder')}
            label="Folder"
            data={[
              { value: '', label: 'All folders' },
              ...folders
                .filter(({ park }) => filters.park === '' || park === filters.park)
                .map(({ id, name, park }) => ({ value: id, label: ownParks.length > 1 ? `${name}, ${park}` : name })),
            ]}
          />
          <PlaceFilter {...place} onChange={(place) => filter({ place })} />
          {isAllowed('reviewer', user) && (
            <NativeSelect
              {...field('source')}
              label="Created from"
              data={[
                { value: '', label: 'Anything' },
                ...auditSources.map((value) => ({ value, label: sourceLabels[value] })),
              ]}
            />
          )}
          <Box flex="1 1 14rem" maw="24rem">
            <PeoplePicker
              label="Assignee"
              inputWrapperOrder={['label', 'description', 'input']}
              park={filters.park || undefined}
              value={assignee}
              onChange={setAssignee}
            />
          </Box>
          {(Object.keys(checkboxLabels) as (keyof typeof checkboxLabels)[]).map((name) => (
            <Checkbox key={name} {...checkbox(name)} label={checkboxLabels[name]} />
          ))}
          {count > 0 && (
            <Button
              variant="subtle"
              onClick={() => filter(Object.fromEntries(Object.keys(others).map((name) => [name, ''])))}
            >
              Clear Filters
            </Button>
          )}
        </div>
      )}
    </>
  );
}
