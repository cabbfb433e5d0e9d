import { Button, type ButtonProps, Checkbox, NativeSelect } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { emergencyServices, employmentStatuses } from '#shared/choices.ts';
import { formatDay, weekdays } from '#shared/dates.ts';
import { noPlace } from '#shared/places/places.ts';
import { type FilterName, filterNames } from '#shared/reports/report-url.ts';
import type { DutyKind } from '#shared/reports/reports.ts';
import { PlaceFilter, usePlaceFilter } from '../../parks/PlaceFilter.tsx';
import { usePlaceInUrl } from '../../parks/usePlaces.ts';
import { bindFilters } from '../../ui/forms/bindFilters.ts';
import { DayRange } from '../../ui/forms/DayRange.tsx';
import { describeParks, listParkChoices } from '../../ui/forms/parkChoices.ts';
import styles from './reports.module.css';
import type { useReportsUrl } from './useReportsUrl.ts';

type UrlFilters = Pick<ReturnType<typeof useReportsUrl>, 'kind' | 'filters' | 'setFilters'>;

const dutyChoices: { value: DutyKind; label: string }[] = [
  { value: 'overdue', label: 'Overdue' },
  { value: 'toReport', label: 'To report' },
  { value: 'toAssess', label: 'To assess' },
  { value: 'toReview', label: 'Decision to check again' },
];

/** Returns the filters in words: `Accidents, Mounds, from 20/11/2026`. */
function describeFilters({ kind, filters }: Pick<UrlFilters, 'kind' | 'filters'>, placeName = 'one place'): string {
  const parts = [
    kind && (kind === 'accident' ? 'Accidents' : 'Incidents'),
    filters.park && describeParks(filters.park),
    filters.from && `from ${formatDay(filters.from)}`,
    filters.to && `to ${formatDay(filters.to)}`,
    filters.weekday && `on ${weekdays[Number(filters.weekday) % 7]}s`,
    filters.hour && describeHour(filters.hour),
    filters.employmentStatus,
    filters.emergencyService && describeService(filters.emergencyService),
    filters.type && `type ${filters.type}`,
    filters.location && `at ${filters.location}`,
    filters.place && (filters.place === noPlace ? 'without a place' : `at ${placeName}`),
    filters.duty && `RIDDOR ${dutyChoices.find(({ value }) => value === filters.duty)?.label.toLowerCase()}`,
    filters.unopened && 'not yet opened',
    filters.openAudits && 'with open audits',
  ];
  return parts.filter(Boolean).join(', ');
}

const describeService = (service: string) =>
  service === 'Any' ? 'any emergency service' : service === 'None' ? 'no emergency service' : service;

const describeHour = (hour: string) => `${hour}:00 to ${hour}:59`;

type FilterButtonProps = Pick<ButtonProps, 'fullWidth' | 'justify'> & {
  urlFilters: UrlFilters;
  isOpen: boolean;
  onClick: () => void;
};

/** Filters that links of the overview set; on this screen they can only be removed. */
const linkFilters = [
  { name: 'type', label: 'Type', all: 'All types', describe: String },
  { name: 'location', label: 'Location or plot', all: 'All locations', describe: String },
  { name: 'weekday', label: 'Weekday', all: 'All days', describe: (day: string) => weekdays[Number(day) % 7] ?? '' },
  { name: 'hour', label: 'Hour', all: 'All hours', describe: describeHour },
] as const;

const panelId = 'report-filters';

export function FilterButton({ urlFilters: { kind, filters }, isOpen, ...props }: FilterButtonProps) {
  const count = [kind, ...Object.values(filters)].filter((value) => value !== undefined).length;
  return (
    <Button
      variant="default"
      leftSection={<ListFilter aria-hidden size={18} />}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      {...props}
    >
      Filters{count > 0 ? ` (${count})` : ''}
    </Button>
  );
}

type ReportFilterPanelProps = {
  urlFilters: UrlFilters;
  isOpen: boolean;
  /** Called by Hide Filters; undefined if the button that opened the panel stays visible. */
  onHide: (() => void) | undefined;
};

/** The filters of both lists, kept in the URL. The set ones are in words above, also if closed. */
export function ReportFilterPanel({ urlFilters, isOpen, onHide }: ReportFilterPanelProps) {
  const { kind, filters, setFilters } = urlFilters;
  const { field, checkbox } = bindFilters({ kind, ...filters }, setFilters);
  const description = describeFilters({ kind, filters }, usePlaceInUrl()?.name);
  const place = usePlaceFilter(filters.place);
  const clear = () => setFilters(Object.fromEntries(Object.keys(filterNames).map((name) => [name as FilterName, ''])));
  return (
    <section className={styles.filterPanel} aria-label="Filters">
      {description && (
        <p className={styles.active}>
          <span>{description}</span>
          <Button variant="subtle" size="compact-md" onClick={clear}>
            Clear Filters
          </Button>
        </p>
      )}
      {isOpen && (
        <div id={panelId} className={styles.filters}>
          <NativeSelect
            {...field('kind')}
            label="Kind"
            data={[
              { value: '', label: 'All kinds' },
              { value: 'accident', label: 'Accidents' },
              { value: 'incident', label: 'Incidents' },
            ]}
          />
          <NativeSelect {...field('park')} label="Park" data={listParkChoices(filters.park)} />
          <DayRange from={filters.from ?? ''} to={filters.to ?? ''} onChange={setFilters} />
          <NativeSelect
            {...field('employmentStatus')}
            label="Employment status"
            data={[{ value: '', label: 'All' }, ...employmentStatuses]}
          />
          <NativeSelect
            {...field('emergencyService')}
            label="Emergency service"
            data={[
              { value: '', label: 'All reports' },
              { value: 'Any', label: 'Any service attended' },
              ...emergencyServices.map((value) => ({ value, label: value === 'None' ? 'None attended' : value })),
            ]}
          />
          {linkFilters.map(
            ({ name, label, all, describe }) =>
              filters[name] && (
                <NativeSelect
                  key={name}
                  {...field(name)}
                  label={label}
                  data={[
                    { value: '', label: all },
                    { value: filters[name], label: describe(filters[name]) },
                  ]}
                />
              ),
          )}
          <PlaceFilter {...place} onChange={(place) => setFilters({ place })} />
          <NativeSelect
            {...field('duty')}
            label="RIDDOR"
            data={[{ value: '', label: 'All reports' }, ...dutyChoices]}
          />
          <Checkbox {...checkbox('unopened')} label="Not yet opened" />
          <Checkbox {...checkbox('openAudits')} label="With open audits" />
          {onHide && (
            <Button variant="default" onClick={onHide}>
              Hide Filters
            </Button>
          )}
        </div>
      )}
    </section>
  );
}
