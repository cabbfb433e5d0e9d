// 'Submissions' in the admin panel.
import { Checkbox, NativeSelect, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { placeNotKnown, type Submission } from '#shared/checklists.ts';
import { allParks } from '#shared/choices.ts';
import { formatInstant, parseDay } from '#shared/dates.ts';
import { listParks } from '#shared/park-list.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { dangerous, useConfirmed } from '../../client/useConfirmed.tsx';
import { usePages } from '../../client/usePages.ts';
import { ExportButtons } from '../../exports/ExportButtons.tsx';
import { PlaceFilter, usePlaceFilter } from '../../parks/PlaceFilter.tsx';
import { useDialogInUrl } from '../../ui/dialogs/useDialogInUrl.ts';
import { Joined, Name } from '../../ui/feedback/Name.tsx';
import { bindFilters } from '../../ui/forms/bindFilters.ts';
import { DayRange } from '../../ui/forms/DayRange.tsx';
import { SearchBox } from '../../ui/forms/SearchBox.tsx';
import { RecordList } from '../../ui/navigation/RecordList.tsx';
import { useFilters } from '../../ui/navigation/useUrlState.ts';
import { SubmissionDialog } from './SubmissionDialog.tsx';
import styles from './SubmissionsTab.module.css';

export function SubmissionsTab() {
  const [{ q, title, park: requestedPark, from, to, failing, ...others }, filter] = useFilters(
    'q',
    'title',
    'park',
    'place',
    'from',
    'to',
    'failing',
  );
  const days = { from: parseDay(from) ?? '', to: parseDay(to) ?? '' };
  const showName = useNames();
  const { data: titles } = useQuery(queryFor(api.listSubmissionTitles));
  const park = listParks().find((park) => park === requestedPark);
  const place = others.place || undefined;
  const isFiltered = [q, title, park, place, from, to, failing].some(Boolean);
  const filters = { q, title, park, place, ...days, failing: failing ? ('yes' as const) : undefined };
  const { field, checkbox } = bindFilters({ title, park, failing }, filter, 'yes');
  const submissions = usePages(api.listSubmissions, { query: filters }, 50, ({ id }) => ({ after: id }));
  const { openId, open, close } = useDialogInUrl('submission');
  const deletion = useConfirmed<Submission>({
    ...dangerous(api.deleteSubmission, { asksWhy: true }),
    title: 'Delete this submitted checklist?',
    text: ({ number, checklist_title, submitted_by }) =>
      `${number} (“${checklist_title}”, submitted by ${showName(submitted_by)}) will be deleted.`,
    isRestorable: true,
    failed: 'Failed to delete submitted checklist',
    done: 'Submitted checklist deleted successfully',
    onDone: close,
  });
  const placeFilter = usePlaceFilter(place);

  return (
    <>
      <div className={styles.filters}>
        <div className={styles.search}>
          <SearchBox label="Search submissions..." value={q} onSearch={(q) => filter({ q })} />
        </div>
        <NativeSelect
          {...field('title')}
          label="Checklist title"
          data={[{ value: '', label: 'All checklists' }, ...new Set([...(titles ?? []), title].filter(Boolean))]}
        />
        <NativeSelect {...field('park')} label="Park" data={[{ value: '', label: allParks }, ...listParks()]} />
        <PlaceFilter {...placeFilter} onChange={(place) => filter({ place })} />
        <DayRange {...days} onChange={filter} />
        <Checkbox {...checkbox('failing')} label="With failing answers" />
      </div>
      <RecordList
        query={submissions}
        failed="The submitted checklists could not be loaded."
        isNotStored
        empty={{
          text: 'No submitted checklists match your filters.',
          hint: isFiltered ? 'Try another word, checklist, park or date.' : 'What staff submit appears here.',
        }}
        above={<ExportButtons list="submissions" name="Submitted checklists" filters={filters} />}
        className={styles.list}
        row={(submission) => (
          <li>
            <UnstyledButton className={styles.row} aria-haspopup="dialog" onClick={() => open(submission.id)}>
              <span className={styles.title}>{submission.checklist_title}</span>
              <Text span c="dimmed" size="sm">
                <Joined
                  between=" · "
                  parts={[
                    submission.number && <Name>{submission.number}</Name>,
                    submission.place && <Name>{submission.place.name}</Name>,
                    submission.park && <Name>{submission.park}</Name>,
                    submission.place_not_known && placeNotKnown,
                  ]}
                />
              </Text>
              {submission.failing && (
                <Text span size="sm" fw={600} className={styles.failing}>
                  {submission.failing} failing
                </Text>
              )}
              <Text span c="dimmed" size="sm">
                {formatInstant(submission.submitted_at)} by <Name>{showName(submission.submitted_by)}</Name>
              </Text>
            </UnstyledButton>
          </li>
        )}
      />
      <SubmissionDialog
        id={deletion.asked || (openId && openId === deletion.confirmed?.id) ? undefined : openId}
        known={submissions.data?.pages.flat().find(({ id }) => id === openId)}
        onClose={close}
        onDelete={deletion.ask}
      />
      {deletion.dialog}
    </>
  );
}
