// The page of a place: whether it is ready to open, its checks and open audits, and a button for each form.
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Archive, ClipboardList, FileText, type LucideIcon, TriangleAlert } from 'lucide-react';
import { Link, useParams } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { isOverdue, type OpenAudit } from '#shared/audits.ts';
import type { Reply } from '#shared/contract.ts';
import { formatDay } from '#shared/dates.ts';
import type { Place } from '#shared/places/places.ts';
import { isOpen } from '#shared/schedules/next-place.ts';
import { AuditTag } from '../audits/AuditTag.tsx';
import { queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { useUser } from '../client/session.ts';
import { CopyNote } from '../drafts/CopyNote.tsx';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { usePlaces } from '../parks/usePlaces.ts';
import { ReadyTag, StateTag } from '../schedules/StateTag.tsx';
import { describeCheck, describeReadiness } from '../schedules/text.ts';
import { useCopiedAt } from '../schedules/useDueChecks.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './PlacePage.module.css';

const Readings = lazyComponent(() => import('./Readings.tsx'), 'Readings', <Loading shape="rows" />);

export function PlacePage() {
  const { id = '' } = useParams();
  const user = useUser();
  const query = useQuery({
    ...withOfflineCopy('user', queryFor(api.getPlace, { params: { id } })),
    // A copy must not be taken for the reply that it is equal to.
    structuralSharing: false,
  });
  const copiedAt = useCopiedAt(query);
  const { data } = query;
  const { data: places } = usePlaces();
  // Labels lead here with their code instead of the id. Without a connection, the forms can be opened even if
  // this page was not copied.
  const place: Place | undefined = data ?? places?.find((one) => one.id === id || one.label === id);
  if (!place || isNotFound(query.error))
    return (
      <QueryState
        query={{ ...query, data: undefined }}
        failed="The place could not be loaded."
        notFound="Place not found"
      />
    );
  return (
    <>
      <PageHeading title={place.name} isName park={place.park}>
        {place.isRetired && <Tag label="Retired" icon={Archive} />}
      </PageHeading>
      <CopyNote at={copiedAt} />
      <PageSections>
        {!place.isRetired && <Forms id={place.id} />}
        <QueryState query={query} failed="The checks and audits of this place could not be loaded." />
        {data && <Content page={data} copiedAt={copiedAt} />}
        {isAllowed('reviewer', user) && <Readings place={place.id} />}
        <PageSection title="Records Here">
          <Group gap="sm">
            {isAllowed('reviewer', user) && (
              <>
                <ListLink to={buildUrl('/get-reports', { place: place.id })}>Reports Here</ListLink>
                <ListLink to={buildUrl('/admin', { tab: 'submissions', place: place.id })}>Submissions Here</ListLink>
              </>
            )}
            <ListLink to={buildUrl('/audits', { tab: 'open', state: 'all', place: place.id })}>Audits Here</ListLink>
          </Group>
        </PageSection>
      </PageSections>
    </>
  );
}

function Forms({ id }: { id: string }) {
  const formLink = (path: string, label: string, Icon: LucideIcon, parameters = {}) => (
    <Button
      component={Link}
      to={buildUrl(path, { ...parameters, place: id })}
      variant="default"
      size="lg"
      leftSection={<Icon aria-hidden size={20} />}
      justify="flex-start"
    >
      {label}
    </Button>
  );
  return (
    <nav aria-label="Forms" className={styles.forms}>
      {formLink('/report-hazard', 'Report a Hazard', TriangleAlert)}
      {formLink('/reporting', 'Report an Accident', FileText)}
      {formLink('/reporting', 'Report an Incident', FileText, { tab: 'incident' })}
      {formLink('/checklists', 'Checklists', ClipboardList)}
    </nav>
  );
}

type ContentProps = { page: Reply<typeof api.getPlace>; copiedAt: number | undefined };

function Content({ page: { id, park, ready, checks, audits }, copiedAt }: ContentProps) {
  const showName = useNames();
  const fillInLink = (checklistId: string) => buildUrl('/checklists', { park, place: id, checklist: checklistId });
  return (
    <>
      {ready.length > 0 && (
        <PageSection title="Ready to Open">
          <ul className={rows.list}>
            {ready.map((readiness) => (
              <li key={readiness.place_id} className={rows.row}>
                <Text className={rows.text}>{describeReadiness(readiness, copiedAt)}</Text>
                <ReadyTag readiness={readiness} isCopy={copiedAt !== undefined} />
                {!readiness.is_ready &&
                  !readiness.not_in_use &&
                  readiness.checklists
                    .filter(
                      (checklist) => !checks.some((check) => check.checklist_id === checklist.id && isOpen(check)),
                    )
                    .map((checklist) => (
                      <Button
                        key={checklist.id}
                        component={Link}
                        to={fillInLink(checklist.id)}
                        variant="default"
                        aria-label={`Fill In ${checklist.title} Again`}
                      >
                        Fill In {readiness.checklists.length > 1 && checklist.title} Again
                      </Button>
                    ))}
              </li>
            ))}
          </ul>
        </PageSection>
      )}
      {checks.length > 0 && (
        <PageSection title="Next Checks">
          <RecordList
            query={{ data: checks }}
            row={(check) => (
              <RecordRow title={check.checklist_title} details={[describeCheck(check, showName)]}>
                <StateTag state={check.state} />
                {isOpen(check) && (
                  <Button
                    component={Link}
                    to={fillInLink(check.checklist_id)}
                    variant={check.state === 'due' ? 'light' : 'default'}
                    aria-label={`Fill In ${check.checklist_title}`}
                  >
                    Fill In
                  </Button>
                )}
              </RecordRow>
            )}
          />
        </PageSection>
      )}
      <PageSection title="Open Audits">
        <RecordList
          query={{ data: audits }}
          empty="No audit of this place is open."
          row={(audit) => (
            <RecordRow
              to={`/audit/${audit.id}`}
              title={audit.title || 'Untitled Audit'}
              details={[audit.folder_name, describeDue(audit)]}
            >
              {audit.is_urgent && <AuditTag state="urgent" />}
              {isOverdue(audit) && <AuditTag state="overdue" />}
            </RecordRow>
          )}
        />
      </PageSection>
    </>
  );
}

function describeDue({ date, verification }: OpenAudit): string {
  if (verification?.by) return `to verify by ${formatDay(verification.by)}`;
  return date ? `due ${formatDay(date)}` : 'no due day';
}

const ListLink = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} variant="default">
    {children}
  </Button>
);
