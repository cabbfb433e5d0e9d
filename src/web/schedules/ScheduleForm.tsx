import { ActionIcon, Button, Checkbox, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { canSeePark } from '#shared/access.ts';
import { months } from '#shared/dates.ts';
import { isOpenPark, listOpenParks, listParks } from '#shared/park-list.ts';
import {
  maxWindows,
  NewSchedule,
  type Repeat,
  repeatUnits,
  type Schedule,
  type Window,
} from '#shared/schedules/schedules.ts';
import { refreshScreen } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { usePlaces } from '../parks/usePlaces.ts';
import { ConflictDialog } from '../ui/dialogs/ConflictDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { type FieldErrors, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { NextChecks } from './NextChecks.tsx';
import { SchedulePlaces } from './SchedulePlaces.tsx';
import styles from './schedules.module.css';
import {
  getScheduleFormName,
  listConflicts,
  mergeValues,
  type ScheduleValues,
  type ScheduleVariables,
  sendSchedule,
  toBody,
  toValues,
} from './scheduleValues.ts';
import { listPlaceNames, weekdaysFromMonday } from './text.ts';

type ScheduleFormProps = {
  checklistId: string;
  /** The schedule to change; none for a new one. */
  schedule: Schedule | undefined;
  onDone: () => void;
  onCancel: () => void;
};

const repeats: { value: Repeat; label: string }[] = [
  { value: 'daily', label: 'Every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'weekly', label: 'Every week' },
  { value: 'monthly', label: 'Every month' },
  { value: 'yearly', label: 'Every year' },
];

export function ScheduleForm({ checklistId, schedule, onDone, onCancel }: ScheduleFormProps) {
  const user = useUser();
  const start = toValues(schedule, user.park);
  const { data: places = [] } = usePlaces();
  const getPark = (id: string) => places.find((place) => place.id === id)?.park;
  /** A place that opens after the check is needed at each park. */
  const findMissingPlaces = ({ parks, places: chosen, opens }: ScheduleValues): FieldErrors => {
    const missing = parks.find((park) => canSeePark(user, park) && !chosen.some((id) => getPark(id) === park));
    return opens && missing ? { places: `Choose a place at ${missing}` } : {};
  };
  const form = useForm<ScheduleValues, unknown, ScheduleVariables>(getScheduleFormName(checklistId, schedule), {
    start,
    check: (values) => ({
      ...getFieldErrors(NewSchedule, toBody({ values, checklistId, schedule })),
      ...findMissingPlaces(values),
    }),
    toSent: (values) => ({ values, checklistId, schedule }),
    send: sendSchedule,
    isOpenedByUser: true,
    onSaved: onDone,
  });
  const { values, set, field, isSaving } = form;
  const newer = form.newer as Schedule | undefined;

  const areAllParksChosen = listOpenParks().every((park) => values.parks.includes(park));
  const choices = listParks().filter((park) => isOpenPark(park) || start.parks.includes(park));
  /** The places of parks that are no longer chosen go with them. */
  const setParks = (chosen: string[]) =>
    set({
      parks: chosen,
      places: values.places.filter((id) => {
        const park = getPark(id);
        return park === undefined || chosen.includes(park);
      }),
    });
  const otherPlaces = schedule?.other_places ?? 0;
  return (
    <FormElement form={form} className="column">
      <FieldGroup label="Parks" error={form.errors.parks} errorProps={{ role: 'alert' }}>
        <div className={styles.parks}>
          <Checkbox
            label="All parks"
            checked={areAllParksChosen}
            indeterminate={!areAllParksChosen && values.parks.length > 0}
            onChange={() => setParks(areAllParksChosen ? [] : choices)}
          />
          {choices.map((park) => (
            <Checkbox
              key={park}
              label={park}
              checked={values.parks.includes(park)}
              onChange={({ currentTarget: { checked } }) =>
                setParks(choices.filter((other) => (other === park ? checked : values.parks.includes(other))))
              }
            />
          ))}
        </div>
      </FieldGroup>
      <SchedulePlaces
        parks={values.parks}
        places={places}
        chosen={values.places}
        otherPlaces={otherPlaces}
        error={form.errors.places}
        onChange={(places) => set({ places })}
      />
      {(values.places.length + otherPlaces > 0 || values.opens) && (
        <Checkbox {...form.checkbox('opens')} label="The place may open only after this check has passed" />
      )}
      <div className={styles.pair}>
        <NativeSelect {...field('repeat')} label="How often" data={repeats} />
        {values.repeat !== 'weekdays' && (
          <TextInput
            {...field('every')}
            label={`Every how many ${repeatUnits[values.repeat].unit}s`}
            inputMode="numeric"
          />
        )}
        {values.repeat === 'yearly' && (
          <NativeSelect
            label="Month"
            value={String(values.month)}
            data={months.map((label, index) => ({ value: String(index + 1), label }))}
            onChange={({ currentTarget }) => set({ month: Number(currentTarget.value) })}
          />
        )}
        {(values.repeat === 'monthly' || values.repeat === 'yearly') && (
          <NativeSelect
            label="Day of the month"
            description="In shorter months it is due on the last day"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={String(values.month_day)}
            data={Array.from({ length: 31 }, (_, index) => String(index + 1))}
            onChange={({ currentTarget }) => set({ month_day: Number(currentTarget.value) })}
          />
        )}
      </div>
      {values.repeat === 'weekly' && (
        <Checkbox.Group
          label="Days of the week"
          error={form.errors.weekdays}
          value={values.weekdays.map(String)}
          onChange={(days) => set({ weekdays: days.map(Number).sort() })}
        >
          <Group gap="sm" mt={4}>
            {weekdaysFromMonday.map((label, index) => (
              <Checkbox key={label} value={String(index + 1)} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Windows windows={values.windows} errors={form.errors} onChange={(windows) => set({ windows })} />
      <div className={styles.pair}>
        <DateField {...field('starts_on')} label="First day" />
        <DateField {...field('ends_on')} label="Last day (optional)" />
      </div>
      <fieldset className="group">
        <Text component="legend" fw={600} size="sm" c="dimmed">
          Season, every year (optional)
        </Text>
        <div className={styles.pair}>
          <DateField {...field('season_from')} label="Season from" />
          <DateField {...field('season_to')} label="Season to" />
        </div>
      </fieldset>
      <NextChecks
        schedule={toBody({ values, checklistId, schedule })}
        startsToOpen={values.opens && !schedule?.opens}
      />
      {schedule && (
        <Text size="sm" c="dimmed">
          Checks that were already due do not change.
        </Text>
      )}
      <ErrorBox message={form.failure ? 'The schedule could not be saved' : ''} reason={form.failure?.message} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isSaving}>
          Save Schedule
        </Button>
      </Group>
      {newer && (
        <ConflictDialog
          title="Someone else has changed this schedule"
          text="Your changes are not lost. Choose which version to keep."
          differences={listConflicts(start, values, toValues(newer), (ids) => listPlaceNames(ids, places))}
          onKeepMine={() =>
            form.save({ values: mergeValues(start, values, toValues(newer)), checklistId, schedule: newer })
          }
          onKeepTheirs={() => {
            form.discard();
            void refreshScreen();
            onDone();
          }}
          onClose={form.dismiss}
        />
      )}
    </FormElement>
  );
}

type WindowsProps = { windows: Window[]; errors: FieldErrors; onChange: (windows: Window[]) => void };

/** The times of a day at which the check is due. */
function Windows({ windows, errors, onChange }: WindowsProps) {
  const set = (index: number, changes: Partial<Window>) =>
    onChange(windows.map((window, other) => (other === index ? { ...window, ...changes } : window)));
  return (
    <>
      {windows.map(({ opens_at, closes_at }, index) => {
        const path = index === 0 ? '' : `more_windows.${index - 1}.`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: windows are told apart by their place only
          // biome-ignore lint/a11y/useSemanticElements: a legend would stand above the fields
          <div key={index} role="group" aria-label={`Time ${index + 1}`} className={styles.window}>
            <TimeField
              label="From"
              value={opens_at}
              error={errors[`${path}opens_at`]}
              onChange={(opens_at) => set(index, { opens_at })}
            />
            <TimeField
              label="To"
              value={closes_at}
              error={errors[`${path}closes_at`] ?? (index === windows.length - 1 && errors.more_windows)}
              onChange={(closes_at) => set(index, { closes_at })}
            />
            {windows.length > 1 && (
              <ActionIcon
                variant="default"
                size="lg"
                aria-label={`Remove Time ${index + 1}`}
                onClick={() => onChange(windows.filter((_, other) => other !== index))}
              >
                <X aria-hidden size={18} />
              </ActionIcon>
            )}
          </div>
        );
      })}
      {windows.length < maxWindows && (
        <div>
          <IconButton icon={Plus} onClick={() => onChange([...windows, { opens_at: '', closes_at: '' }])}>
            Add Time
          </IconButton>
        </div>
      )}
    </>
  );
}
