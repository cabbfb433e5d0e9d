// Requests a pack of all listed reports, or of the ones the user ticks.
import { Button, Checkbox, Group, Textarea, TextInput } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Query } from '#shared/contract.ts';
import { formatDay } from '#shared/dates.ts';
import { NewPack, packLimits } from '#shared/packs.ts';
import type { Report } from '#shared/reports/reports.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { StatusLine } from '../ui/feedback/StatusLine.tsx';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './packs.module.css';

type PackDialogProps = {
  /** The lists on the screen, with their filters and searches. */
  lists: Query<typeof api.listReports, 'input'>[];
  onClose: () => void;
};

export function PackDialog({ lists, onClose }: PackDialogProps) {
  // Loads one report more than a pack may have, to detect that there are too many.
  const limit = packLimits.reports + 1;
  const query = useQueries({
    queries: lists.map((list) => queryFor(api.listReports, { query: { ...list, limit } })),
    combine: (results) => ({
      data: results.every(({ data }) => data) ? results.flatMap(({ data }) => data ?? []) : undefined,
      error: results.find(({ data, error }) => error && !data)?.error,
      refetch: () => results.map((result) => result.refetch()),
    }),
  });
  const [, navigate] = useLocation();
  const matchingReports = query.data ?? [];
  const isTooMany = matchingReports.length > packLimits.reports;
  const reports = matchingReports.toSorted(compareNewestFirst).slice(0, packLimits.reports);
  const form = useForm<PackValues>(formNames.pack(), {
    start: {
      recipient: '',
      purpose: '',
      withoutNames: false,
      withInvestigations: false,
      reports: isTooMany ? [] : reports.map(({ id }) => id),
    },
    check: (values) => getFieldErrors(NewPack, values),
    send: (body, key) => callApiWithRetry(api.createPack, { body, key }),
    isOpenedByUser: true,
    onSaved: () => navigate('/packs'),
  });
  const discard = useConfirmDiscard(form.isTyped && !form.isSaving, () => {
    form.discard();
    onClose();
  });
  return (
    <Dialog opened discard={discard} title="Make Pack" size="lg">
      <RecordList
        query={query}
        failed="The reports could not be loaded."
        isNotStored
        empty={{ text: 'No reports found.', hint: 'Close this and change the filters.' }}
      >
        {() => <PackForm form={form} reports={reports} isTooMany={isTooMany} onCancel={discard.close} />}
      </RecordList>
    </Dialog>
  );
}

const compareNewestFirst = (a: Report, b: Report) => (`${a.date} ${a.time}` < `${b.date} ${b.time}` ? 1 : -1);

type PackValues = {
  recipient: string;
  purpose: string;
  withoutNames: boolean;
  withInvestigations: boolean;
  reports: string[];
};
type PackFormProps = {
  form: ReturnType<typeof useForm<PackValues>>;
  reports: Report[];
  isTooMany: boolean;
  onCancel: () => void;
};

function PackForm({ form, reports, isTooMany, onCancel }: PackFormProps) {
  const { values, set, field } = form;
  const { withoutNames, reports: tickedReports } = values;
  const toggle = (id: string) =>
    set({
      reports: tickedReports.includes(id) ? tickedReports.filter((other) => other !== id) : [...tickedReports, id],
    });
  const problem = form.errors.reports ?? describeError(form.failure);

  return (
    <FormElement form={form} className="stack loose">
      <TextInput
        {...field('recipient')}
        label="Who is it for?"
        description="For example an inspector, an insurer or a council"
        maxLength={textLimits.name}
        autoComplete="off"
        data-autofocus
      />
      <Textarea
        {...field('purpose')}
        label="Why do they need it?"
        description="What you enter in these two fields is printed word for word in every pack, including packs without names, and kept in the activity log."
        maxLength={textLimits.reason}
        autosize
        minRows={2}
      />
      <div>
        <Checkbox
          {...form.checkbox('withoutNames')}
          label="Without names"
          description="Leaves out names, contact numbers, ages, types of accident, locations, details, signatures, photos and the answers to checklists."
        />
        <div role="status">
          {withoutNames && (
            <p className={styles.warning}>
              <TriangleAlert aria-hidden size={18} />
              Your answers to “Who is it for?” and “Why do they need it?” are printed word for word. Name nobody from
              the reports there.
            </p>
          )}
        </div>
      </div>
      {!withoutNames && (
        <Checkbox
          {...form.checkbox('withInvestigations')}
          label="With investigations"
          description="Adds the investigation that covers a report, with its statements and photos. Ask your solicitor first if there may be a claim."
        />
      )}
      <fieldset className={styles.chosen}>
        <legend>
          {tickedReports.length} of {reports.length} reports chosen
        </legend>
        {isTooMany && (
          <p>
            The filters find more than {packLimits.reports} reports. These are the newest. Set more filters to find the
            others.
          </p>
        )}
        <Group gap="xs" mt="xs">
          <Button variant="default" size="compact-md" onClick={() => set({ reports: reports.map(({ id }) => id) })}>
            Tick All
          </Button>
          <Button
            variant="subtle"
            size="compact-md"
            onClick={() => set({ reports: [] })}
            disabled={tickedReports.length === 0}
          >
            Untick All
          </Button>
        </Group>
        <ul className={styles.reports}>
          {reports.map(({ id, number, name, date, selectedPlace, type }) => (
            <li key={id}>
              <label className={rows.tick}>
                <input type="checkbox" checked={tickedReports.includes(id)} onChange={() => toggle(id)} />
                <span>
                  {number}, {name || 'No name'}
                  <span className={styles.facts}>
                    {[formatDay(date), selectedPlace, type].filter(Boolean).join(' · ')}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <StatusLine status={problem ? { kind: 'error', text: problem } : undefined} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={form.isSaving}>
          Make Pack
        </Button>
      </Group>
    </FormElement>
  );
}
