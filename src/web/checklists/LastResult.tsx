// What a checklist found last time at the place for which it is opened, above its questions.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { queryFor } from '../client/api.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { CopyNote } from '../drafts/CopyNote.tsx';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { useCopiedAt } from '../schedules/useDueChecks.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import rows from '../ui/theme/rows.module.css';
import styles from './ChecklistPanel.module.css';
import { describeLastResult } from './receiptLines.ts';

/** More open audits than these are on the page of the place. */
const shownAudits = 3;

type LastResultProps = { checklistId: string; park: string; place: CheckedPlace | null };

export function LastResult({ checklistId, park, place }: LastResultProps) {
  const options = queryFor(api.getLastResult, {
    params: { id: checklistId },
    query: { park, ...(place && { place: place.id }) },
  });
  // Who shares a device does not see there what others have found.
  const query = useQuery(getSharedDevice() ? options : withOfflineCopy('user', options));
  const copiedAt = useCopiedAt(query);
  const { data, isError } = query;
  if (isError && !data) return null;
  const open = data?.open ?? [];
  return (
    <section aria-label="Last Result" className={styles.lastResult}>
      <Text>{data ? describeLastResult(data.last) : 'Last filled in: …'}</Text>
      {open.length > 0 && (
        <ul className="list">
          {open.slice(0, shownAudits).map(({ id, title }) => (
            <li key={id}>
              Open audit:{' '}
              <Link to={`/audit/${id}`} className={rows.link}>
                {title || 'Untitled Audit'}
              </Link>
            </li>
          ))}
          {open.length > shownAudits && (
            <li>
              <Link
                to={place ? `/places/${place.id}` : buildUrl('/audits', { tab: 'open', park })}
                className={rows.link}
              >
                {open.length - shownAudits} More Open Audits
              </Link>
            </li>
          )}
        </ul>
      )}
      <CopyNote at={copiedAt} />
    </section>
  );
}
