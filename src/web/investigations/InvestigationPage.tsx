// One page for an event: what happened, why, and what is done about it.
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, formatInstant } from '#shared/dates.ts';
import { type Investigation, levelLabels, sectionNames } from '#shared/investigations.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { callApi, mutationFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { formNames } from '../formNames.ts';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import { Findings } from './Findings.tsx';
import { InvestigationActions } from './InvestigationActions.tsx';
import { InvestigationSection } from './InvestigationSection.tsx';
import { StateTags } from './StateTags.tsx';

export function InvestigationPage() {
  const { id = '' } = useParams();
  // Opening it is logged, so refocusing the window must not open it again.
  const query = useQuery({ ...queryFor(api.getInvestigation, { params: { id } }), refetchOnWindowFocus: false });
  const back = <BackButton to="/investigations">Investigations</BackButton>;
  if (query.data) return <OpenInvestigation key={id} investigation={query.data} />;
  return (
    <QueryState
      query={query}
      shape="fields"
      failed="The investigation could not be loaded."
      notFound="Investigation not found"
      back={back}
    />
  );
}

function OpenInvestigation({ investigation }: { investigation: Investigation }) {
  const { id, number, park, created_at, created_by, level, finish_by, state } = investigation;
  const [, navigate] = useLocation();
  const showName = useNames();
  const deletion = useConfirmed<Investigation>({
    ...dangerous(api.deleteInvestigation),
    title: 'Delete this investigation?',
    text: `${number} will be deleted. Its actions stay.`,
    isRestorable: true,
    failed: 'The investigation could not be deleted. Please try again.',
    onDone: () => navigate('/investigations'),
  });
  const isDeep = investigation.sections.depth.content.level !== 'minimal';
  const started = `Started by ${showName(created_by)}, ${formatInstant(created_at)}.`;
  const due = level && finish_by && ` ${levelLabels[level]} level, finish by ${formatDay(finish_by)}.`;
  return (
    <>
      <PageHeading
        title={`Investigation ${number}`}
        park={park}
        text={`${started}${due ?? ''}`}
        back={<BackButton to="/investigations">Investigations</BackButton>}
      >
        <PdfButton href={endpointUrl(api.getInvestigationPdf, { params: { id } })} />
        <DeleteButton onClick={() => deletion.ask(investigation)} />
      </PageHeading>
      <PageSections>
        <StateTags investigation={investigation} />
        {state === 'open' && (
          <Text size="sm" c="dimmed">
            A court can ask for what is written here. If there may be a claim or a prosecution, ask a solicitor before
            you write. Papers made for a solicitor do not belong here.
          </Text>
        )}
        <CoveredRecords investigation={investigation} />
        {sectionNames
          .filter((name) => isDeep || (name !== 'causes' && name !== 'risk'))
          .map((name) => (
            <InvestigationSection key={name} investigation={investigation} name={name} />
          ))}
        <InvestigationActions investigation={investigation} />
        <Findings investigation={investigation} />
        <PageSection isCard title="Lesson">
          <Text>Ask other parks to check whether the same can happen there. Each park answers.</Text>
          <Group>
            <Button component={Link} to={`/lessons/new?investigation=${id}`} variant="default">
              New Lesson
            </Button>
          </Group>
        </PageSection>
      </PageSections>
      {deletion.dialog}
    </>
  );
}

function CoveredRecords({ investigation: { id, records, state } }: { investigation: Investigation }) {
  const canChange = state === 'open';
  const form = useForm<{ number: string }>(formNames.coveredReport(id), {
    start: { number: '' },
    send: ({ number }) => callApi(api.coverReport, { params: { id }, body: { number, isCovered: true } }),
  });
  const removal = useMutation(mutationFor(api.coverReport));
  return (
    <PageSection isCard title="Records It Covers">
      <ul className={rows.list}>
        {records.map(({ thing, id: recordId, label, park, day }) => (
          <RecordRow
            key={recordId}
            to={label && recordUrls[thing](recordId)}
            title={label || (park ? 'A record that you may not see' : 'Deleted')}
            details={[park, day && formatDay(day)]}
          >
            {canChange && thing === 'report' && label && records.length > 1 && (
              <Button
                variant="subtle"
                aria-label={`Take out ${label}`}
                loading={removal.isPending}
                onClick={() => removal.mutate({ params: { id }, body: { number: label, isCovered: false } })}
              >
                Take Out
              </Button>
            )}
          </RecordRow>
        ))}
      </ul>
      <ErrorBox message={removal.error ? 'The report could not be taken out.' : ''} reason={removal.error?.message} />
      {canChange && (
        <InlineForm form={form} label="Add a report" submit="Add Report" failed="The report could not be added.">
          <TextInput
            {...form.field('number')}
            label="Add another report"
            description="Its number, for example ACC-2026-0012"
            maxLength={textLimits.line}
            autoComplete="off"
          />
        </InlineForm>
      )}
    </PageSection>
  );
}
