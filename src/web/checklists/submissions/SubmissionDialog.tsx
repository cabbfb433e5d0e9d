import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link } from 'wouter';
import { formatAnswer, groupByHeading } from '#shared/answers.ts';
import { api } from '#shared/api.ts';
import { describeAuditState, type LinkedAudit } from '#shared/audits.ts';
import { placeNotKnown, type Submission } from '#shared/checklists.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatCapturedAt, formatInstant } from '#shared/dates.ts';
import { isSignatureUrl } from '#shared/reports/signature-url.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { PhotoPreviews } from '../../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../../photos/viewer/toViewerPhoto.ts';
import { DetailsActions, DetailsDialog } from '../../ui/dialogs/DetailsDialog.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import { Name } from '../../ui/feedback/Name.tsx';
import { DeleteButton } from '../../ui/forms/DeleteButton.tsx';
import { Loading } from '../../ui/loading/Loading.tsx';
import { PdfButton } from '../../ui/navigation/PdfButton.tsx';
import styles from './SubmissionDialog.module.css';

type SubmissionDialogProps = {
  /** Undefined closes the dialog. */
  id: string | undefined;
  /** From the list, shown while its answers load. */
  known: Submission | undefined;
  onClose: () => void;
  onDelete: (submission: Submission) => void;
};

export const SubmissionDialog = ({ id, ...details }: SubmissionDialogProps) => (
  <DetailsDialog opened={id !== undefined} onClose={details.onClose} title="Submission Details">
    {id && <Details id={id} {...details} />}
  </DetailsDialog>
);

function Details({ id, known, onClose, onDelete }: SubmissionDialogProps & { id: string }) {
  const { data, error, isPending, refetch } = useQuery(queryFor(api.getSubmission, { params: { id } }));
  const submission = data ?? known;
  const showName = useNames();
  const filledInAt = submission && formatCapturedAt(submission.captured_at, submission.submitted_at);
  return (
    <>
      {submission && (
        <>
          <Text fw={600} size="lg" className="breakable">
            {submission.checklist_title}
          </Text>
          <Text c="dimmed">
            <Name>{[submission.number, submission.place?.name, submission.park].filter(Boolean).join(', ')}</Name>,
            submitted on {formatInstant(submission.submitted_at)} by <Name>{showName(submission.submitted_by)}</Name>
          </Text>
          {filledInAt && <Text c="dimmed">Filled in {filledInAt}</Text>}
          {data?.parkWasClosed && <Text c="dimmed">The park was closed</Text>}
          {submission.place_not_known && (
            <Text fw={600}>{placeNotKnown}. This submission answers no check of a place.</Text>
          )}
        </>
      )}
      {isPending && <Loading shape="rows" />}
      {error && <ErrorBox message={error.message || 'The answers could not be loaded.'} onRetry={() => refetch()} />}
      {data && <Answers submission={data} />}
      <DetailsActions onClose={onClose}>
        {submission && (
          <>
            <PdfButton href={endpointUrl(api.getSubmissionPdf, { params: { id } })} variant="filled" />
            <DeleteButton onClick={() => onDelete(submission)} />
          </>
        )}
      </DetailsActions>
    </>
  );
}

function Answers({ submission }: { submission: Submission }) {
  const { data: audits = [] } = useQuery({
    ...queryFor(api.listSubmissionAudits, { params: { id: submission.id } }),
    enabled: submission.failing !== undefined,
  });
  return (
    <>
      {groupByHeading(submission.sections).map(({ heading, indexes }) => {
        const recorded = indexes.filter((index) => isRecorded(submission.sections, submission.data, index));
        return (
          recorded.length > 0 && (
            <Fragment key={indexes[0]}>
              {heading && (
                <Title order={3} size="h5" mt="lg">
                  {heading}
                </Title>
              )}
              <AnswerList submission={submission} indexes={recorded} audits={audits} />
            </Fragment>
          )
        );
      })}
    </>
  );
}

type AnswersProps = { submission: Submission; audits: LinkedAudit[] };

const AnswerList = ({ submission, indexes, audits }: AnswersProps & { indexes: number[] }) => (
  <dl className={styles.answers}>
    {indexes.map((index) => {
      const section = submission.sections[index];
      const answer = submission.data[index];
      return (
        section && (
          <div key={index}>
            <dt>{section.title}</dt>
            <dd>
              {section.type === 'signature' && isSignatureUrl(answer) ? (
                <img src={answer} alt={`Signature: ${section.title}`} className={styles.signature} />
              ) : (
                formatAnswer(section, answer) ||
                (section.type === 'photo' && submission.notes?.[index]?.media_files.length ? null : (
                  <Text span c="dimmed">
                    Not provided
                  </Text>
                ))
              )}
              <FailingAnswer submission={submission} index={index} audits={audits} />
              <OtherNote submission={submission} index={index} />
            </dd>
          </div>
        )
      );
    })}
  </dl>
);

/** The note on an answer that does not fail, and its photos. */
function OtherNote({ submission: { notes = {} }, index }: Omit<AnswersProps, 'audits'> & { index: number }) {
  const noted = notes[index];
  if (!noted) return null;
  return (
    <div>
      {noted.note && <p className={styles.note}>{noted.note}</p>}
      <PhotoPreviews label="Photos" photos={noted.media_files.map(toViewerPhoto)} />
    </div>
  );
}

/** The note on a failing answer, its photos, and the state of its audit. */
function FailingAnswer({ submission: { failures = {} }, index, audits }: AnswersProps & { index: number }) {
  const showName = useNames();
  const failure = failures[index];
  if (!failure) return null;
  const audit = audits.find(({ section }) => section === index);
  return (
    <div>
      <p className={styles.failing}>Failing</p>
      <p className={styles.note}>{failure.note}</p>
      <PhotoPreviews label="Photos of the failing answer" photos={failure.media_files.map(toViewerPhoto)} />
      {audit && (
        <p>
          {audit.deleted_by ? 'Audit' : <Link to={`/audit/${audit.id}`}>Audit</Link>}:{' '}
          {describeAuditState(audit, showName)}
        </p>
      )}
    </div>
  );
}
