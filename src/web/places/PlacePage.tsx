// The page of a place: whether it is ready to open, its checks and open audits, and a button for each form.
import { Anchor, Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Archive, ClipboardList, FileText, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { isOverdue, type OpenAudit } from '#shared/audits.ts';
import type { Reply } from '#shared/contract.ts';
import { formatDay } from '#shared/dates.ts';
import type { Place } from '#shared/places.ts';
import { AuditTag } from '../audits/AuditTag.tsx';
import { queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { CopyNote } from '../drafts/CopyNote.tsx';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { usePlaces } from '../parks/usePlaces.ts';
import { ReadyTag, StateTag } from '../schedules/StateTag.tsx';
import { describeCheck, describeReadiness } from '../schedules/text.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './PlacePage.module.css';

export function PlacePage() {
  const { id = '' } = useParams();
  const user = useUser();
  const { data, isError, error, refetch } = useQuery(
    withOfflineCopy('user', queryFor(api.getPlace, { params: { id } })),
  );
  const { data: places } = usePlaces();
  // Labels lead here with their code. Its forms can be opened without a connection even if this page was not copied.
  const place: Place | undefined = data ?? places?.find((one) => one.id === id || one.label === id);
  if (isNotFound(error)) return <ErrorBox isPage message="Place not found" />;
  if (!place && isError) return <ErrorBox isPage message="The place could not be loaded." onRetry={() => refetch()} />;
  if (!place) return <Loading shape="rows" />;
  return (
    <>
      <PageHeading title={place.name} park={place.park}>
        {place.isRetired && <Tag label="Retired" icon={Archive} />}
      </PageHeading>
      <CopyNote reply={data} />
      <div className={styles.sections}>
        {!place.isRetired && <Forms id={place.id} />}
        {!data && isError && (
          <ErrorBox message="Its checks and audits could not be loaded." onRetry={() => refetch()} />
        )}
        {!data && !isError && <Loading shape="rows" />}
        {data && <Content {...data} />}
        {isAllowed('reviewer', user) && (
          <Section title="Records Here">
            <div className={styles.buttons}>
              <ListLink to={buildUrl('/get-reports', { place: place.id })}>Reports Here</ListLink>
              <ListLink to={buildUrl('/admin', { tab: 'submissions', place: place.id })}>Submissions Here</ListLink>
              <ListLink to={buildUrl('/audits', { tab: 'open', place: place.id })}>Audits Here</ListLink>
            </div>
          </Section>
        )}
      </div>
    </>
  );
}

function Forms({ id }: { id: string }) {
  const formLink = (path: string, label: string, icon: ReactNode, parameters = {}) => (
    <Button
      component={Link}
      to={buildUrl(path, { ...parameters, place: id })}
      variant="default"
      size="lg"
      leftSection={icon}
      justify="flex-start"
    >
      {label}
    </Button>
  );
  return (
    <nav aria-label="Forms" className={styles.forms}>
      {formLink('/report-hazard', 'Report a Hazard', <TriangleAlert aria-hidden size={20} />)}
      {formLink('/reporting', 'Report an Accident', <FileText aria-hidden size={20} />)}
      {formLink('/reporting', 'Report an Incident', <FileText aria-hidden size={20} />, { tab: 'incident' })}
      {formLink('/checklists', 'Checklists', <ClipboardList aria-hidden size={20} />)}
    </nav>
  );
}

function Content({ id, park, ready, checks, audits }: Reply<typeof api.getPlace>) {
  const showName = useNames();
  return (
    <>
      {ready.length > 0 && (
        <Section title="Ready to Open">
          <ul className={rows.list}>
            {ready.map((facility) => (
              <li key={facility.gate} className={rows.row}>
                <Text className={rows.text}>{describeReadiness(facility)}</Text>
                <ReadyTag isReady={facility.is_ready} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {checks.length > 0 && (
        <Section title="Next Checks">
          <ul className={rows.list}>
            {checks.map((check) => (
              <li key={check.id} className={rows.row}>
                <div className={rows.text}>
                  <Text fw={600}>{check.checklist_title}</Text>
                  <Text size="sm" c="dimmed">
                    {describeCheck(check, showName)}
                  </Text>
                </div>
                <StateTag state={check.state} />
                {check.state === 'due' && (
                  <Button
                    component={Link}
                    to={buildUrl('/checklists', { park, place: id, checklist: check.checklist_id })}
                    aria-label={`Fill In ${check.checklist_title}`}
                  >
                    Fill In
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Open Audits">
        {audits.length === 0 && <Text c="dimmed">No audit of this place is open.</Text>}
        <ul className={rows.list}>
          {audits.map((audit) => (
            <li key={audit.id} className={rows.row}>
              <div className={rows.text}>
                <Anchor component={Link} to={`/audit/${audit.id}`} underline="always" fw={600}>
                  {audit.title || 'Untitled Audit'}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {audit.folder_name}, {describeDue(audit)}
                </Text>
              </div>
              {audit.is_urgent && <AuditTag state="urgent" />}
              {isOverdue(audit) && <AuditTag state="overdue" />}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function describeDue({ date, verification }: OpenAudit): string {
  if (verification?.by) return `to verify by ${formatDay(verification.by)}`;
  return date ? `due ${formatDay(date)}` : 'no due day';
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className={styles.section}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  );
}

const ListLink = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} variant="default">
    {children}
  </Button>
);
