import { Checkbox, NativeSelect } from '@mantine/core';
import { History } from 'lucide-react';
import { isAllowed } from '#shared/access.ts';
import { entityTypes } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { parseDay } from '#shared/dates.ts';
import { useUser } from '../client/session.ts';
import { usePages } from '../client/usePages.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { bindFilters } from '../ui/forms/bindFilters.ts';
import { DayRange } from '../ui/forms/DayRange.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { ActivityList } from './ActivityList.tsx';
import styles from './ActivityPage.module.css';
import { entityTypeNames } from './activityText.ts';

export function ActivityPage() {
  const [{ q, from, to, ...requested }, filter] = useFilters('q', 'thing', 'changes', 'from', 'to', 'back');
  // Only Admins see sign-ins and rejected requests.
  const isAdmin = isAllowed('admin', useUser());
  const kinds = isAdmin ? entityTypes : entityTypes.filter((kind) => kind !== 'session');
  const thing = kinds.find((thing) => thing === requested.thing);
  const days = { from: parseDay(from) ?? '', to: parseDay(to) ?? '' };
  const changes = requested.changes === '1' ? ('1' as const) : undefined;
  const query = { q, thing, changes, ...days };
  const { field, checkbox } = bindFilters({ thing, changes }, filter);
  const isFromOverview = /^\/overview(\?|$)/.test(requested.back);
  const entries = usePages(api.listActivity, { query }, 50, ({ seq }) => ({ before: seq }));

  return (
    <>
      <PageHeading
        title="Activity"
        text="Who did what, and when."
        back={
          isFromOverview ? (
            <BackButton to={requested.back}>Overview</BackButton>
          ) : (
            <BackButton to="/admin?tab=users">Back to User Management</BackButton>
          )
        }
      />
      <div className={styles.filters}>
        <div className={styles.search}>
          <SearchBox label="Search activity..." value={q} onSearch={(q) => filter({ q })} />
        </div>
        <NativeSelect
          {...field('thing')}
          label="Type"
          data={[
            { value: '', label: 'All types' },
            ...kinds.map((thing) => ({ value: thing, label: entityTypeNames[thing] })),
          ]}
        />
        <DayRange {...days} onChange={filter} />
        <Checkbox {...checkbox('changes')} className={styles.changes} label="Changes only" />
      </div>
      <ExportButtons list="activity" name="Activity" filters={query} />
      <RecordList
        query={entries}
        failed="The activity could not be loaded."
        isNotStored
        loading="Loading activity..."
        empty={{ icon: History, text: 'No activity found.', hint: 'Try another word, person or date.' }}
      >
        {(list) => (
          <div className={styles.entries} aria-busy={entries.isPlaceholderData}>
            <ActivityList entries={list} />
          </div>
        )}
      </RecordList>
    </>
  );
}
