// One page for an event: what happened, why, and what is done about it.
import { Button, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, formatInstant, getToday } from '#shared/dates.ts';
import { type Investigation, levelLabels } from '#shared/investigations.ts';
import { callApi, mutationFor, queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { useDeletion } from '../client/useDeletion.ts';
import { useForm } from '../forms/useForm.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { RestorableNote } from '../ui/dialogs/RestorableNote.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import rows from '../ui/theme/rows.module.css';
import { Findings } from './Findings.tsx';
import { InvestigationActions } from './InvestigationActions.tsx';
import { InvestigationSection } from './InvestigationSection.tsx';
import styles from './investigations.module.css';
import {
  CausesFields,
  DepthFields,
  FactsFields,
  MadeSafeFields,
  RiskFields,
  StatementsFields,
} from './SectionFields.tsx';
import { StateTags } from './StateTags.tsx';

export function InvestigationPage() {
  const { id = '' } = useParams();
  // Opening it is logged, so refocusing the window must not open it again.
  const query = useQuery({ ...queryFor(api.getInvestigation, { params: { id } }), refetchOnWindowFocus: false });
  const back = <BackButton to="/investigations">Investigations</BackButton>;
  if (query.isPending) return <Loading text="Loading the investigation..." shape="fields" />;
  if (!query.data)
    return (
      <ErrorBox
        isPage
        message={isNotFound(query.error) ? 'Investigation not found' : 'The investigation could not be loaded.'}
        onRetry={isNotFound(query.error) ? undefined : () => query.refetch()}
      >
        {back}
      </ErrorBox>
    );
  return <OpenInvestigation key={id} investigation={query.data} />;
}

function OpenInvestigation({ investigation }: { investigation: Investigation }) {
  const { id, number, park, created_at, created_by, level, finish_by, state } = investigation;
  const [, navigate] = useLocation();
  const showName = useNames();
  const deletion = useDeletion<Investigation>(
    api.deleteInvestigation,
    { failed: 'The investigation could not be deleted. Please try again.' },
    { onDeleted: () => navigate('/investigations') },
  );
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
      <div className={styles.sections}>
        <StateTags investigation={investigation} />
        {state === 'open' && (
          <Text size="sm" c="dimmed">
            A court can ask for what is written here. If there may be a claim or a prosecution, ask a solicitor before
            you write. Papers made for a solicitor do not belong here.
          </Text>
        )}
        <CoveredRecords investigation={investigation} />
        <InvestigationSection investigation={investigation} name="madeSafe">
          {(form) => <MadeSafeFields form={form} />}
        </InvestigationSection>
        <InvestigationSection investigation={investigation} name="depth">
          {(form) => <DepthFields form={form} startedOn={getToday(new Date(created_at))} />}
        </InvestigationSection>
        <InvestigationSection investigation={investigation} name="facts">
          {(form) => <FactsFields form={form} />}
        </InvestigationSection>
        <InvestigationSection
          investigation={investigation}
          name="statements"
          hint="Optional. What people say who saw it, or know about it."
        >
          {(form) => <StatementsFields form={form} name={`statements of ${id}`} />}
        </InvestigationSection>
        {isDeep && (
          <>
            <InvestigationSection
              investigation={investigation}
              name="causes"
              hint="Ask why until you reach what can be changed: what happened directly before, what allowed it, and how the work is planned."
            >
              {(form) => <CausesFields form={form} />}
            </InvestigationSection>
            <InvestigationSection investigation={investigation} name="risk">
              {(form) => <RiskFields form={form} />}
            </InvestigationSection>
          </>
        )}
        <InvestigationActions investigation={investigation} />
        <Findings investigation={investigation} />
        <section className={styles.section} aria-labelledby="lesson">
          <Title order={2} size="h4" id="lesson">
            Lesson
          </Title>
          <Text>Other parks look whether the same can happen there, and each answers.</Text>
          <div className={styles.actions}>
            <Button component={Link} to={`/lessons/new?investigation=${id}`} variant="default">
              New Lesson
            </Button>
          </div>
        </section>
      </div>
      <ConfirmDialog {...deletion.dialog} title="Delete this investigation?">
        {number} will be deleted. Its actions stay.
        <RestorableNote />
      </ConfirmDialog>
    </>
  );
}

const urls = {
  report: (id: string) => `/get-reports?report=${id}`,
  audit: (id: string) => `/audit/${id}`,
};

function CoveredRecords({ investigation: { id, records } }: { investigation: Investigation }) {
  const form = useForm<{ number: string }>(`report for ${id}`, {
    start: { number: '' },
    send: ({ number }) => callApi(api.coverReport, { params: { id }, body: { number, isCovered: true } }),
  });
  const removal = useMutation(mutationFor(api.coverReport));
  return (
    <section className={styles.section} aria-labelledby="covers">
      <Title order={2} size="h4" id="covers">
        Reports and Audits It Covers
      </Title>
      <ul className={rows.list}>
        {records.map(({ thing, id: recordId, label, park, day }) => (
          <li key={recordId} className={rows.row}>
            <div className={rows.text}>
              {label ? (
                <Link to={urls[thing](recordId)} className={styles.link}>
                  {label}
                </Link>
              ) : (
                <Text>{park ? 'An audit that you may not see' : 'Deleted'}</Text>
              )}
              <Text size="sm" c="dimmed">
                {[park, day && formatDay(day)].filter(Boolean).join(', ')}
              </Text>
            </div>
            {thing === 'report' && label && records.length > 1 && (
              <Button
                variant="subtle"
                aria-label={`Take out ${label}`}
                loading={removal.isPending}
                onClick={() => removal.mutate({ params: { id }, body: { number: label, isCovered: false } })}
              >
                Take Out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <ErrorBox message={removal.error ? 'The report could not be taken out.' : ''} reason={removal.error?.message} />
      <form {...form.props} className={styles.form} aria-label="Add a report">
        <TextInput
          {...form.field('number')}
          label="Add another report"
          description="Its number, for example ACC-2026-0012"
          maxLength={textLimits.line}
          autoComplete="off"
        />
        <div className={styles.actions}>
          <Button type="submit" variant="default" loading={form.isSaving}>
            Add Report
          </Button>
        </div>
        <ErrorBox message={form.failure ? 'The report could not be added.' : ''} reason={form.failure?.message} />
      </form>
    </section>
  );
}
