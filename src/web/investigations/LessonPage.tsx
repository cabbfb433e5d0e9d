// A lesson, and what each park answered.
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { answerLabels, type Lesson } from '#shared/lessons.ts';
import { queryFor } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { PhotoThumbs } from '../photos/viewer/PhotoThumbs.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';
import { AnswersTag } from './LessonList.tsx';

export function LessonPage() {
  const { id = '' } = useParams();
  const showName = useNames();
  const query = useQuery(queryFor(api.getLesson, { params: { id } }));
  const back = <BackButton to="/investigations">Investigations</BackButton>;
  if (query.isPending) return <Loading text="Loading the lesson..." shape="fields" />;
  if (!query.data)
    return (
      <ErrorBox
        isPage
        message={isNotFound(query.error) ? 'Lesson not found' : 'The lesson could not be loaded.'}
        onRetry={isNotFound(query.error) ? undefined : () => query.refetch()}
      >
        {back}
      </ErrorBox>
    );
  const { title, happened, look_at, photos, answer_by, created_at, created_by, investigation, missing, answers } =
    query.data;
  return (
    <>
      <PageHeading
        title={title}
        text={`Lesson by ${showName(created_by)}, ${formatInstantDay(created_at)}. Answer by ${formatDay(answer_by)}.`}
        back={back}
      >
        <PdfButton href={endpointUrl(api.getLessonPdf, { params: { id } })} />
      </PageHeading>
      <div className={styles.sections}>
        <section className={styles.section} aria-label="The lesson">
          <dl className={styles.facts}>
            <dt>What happened</dt>
            <dd>{happened}</dd>
            <dt>What to look at</dt>
            <dd>{look_at}</dd>
          </dl>
          <PhotoThumbs
            label="Photo of the lesson"
            photos={photos.map(({ path, name }) => ({ src: path, alt: name }))}
          />
          {investigation && (
            <Link to={`/investigations/${investigation.id}`} className={styles.link}>
              From {investigation.number}
            </Link>
          )}
        </section>
        <section className={styles.section} aria-labelledby="answers">
          <Title order={2} size="h4" id="answers">
            Answers
          </Title>
          <AnswersTag lesson={query.data} />
          {missing.length > 0 && <Text>Not answered: {missing.join(', ')}.</Text>}
          <ul className={rows.list}>
            {answers.map((answer) => (
              <li key={answer.audit?.id ?? answer.park} className={rows.row}>
                <Answer {...answer} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function Answer({ park, answer, completed, audit }: Lesson['answers'][number]) {
  const showName = useNames();
  const state = answer ? answerLabels[answer] : completed ? 'Completed Without an Answer' : 'Not Answered';
  return (
    <>
      <div className={rows.text}>
        {audit ? (
          <Link to={`/audit/${audit.id}`} className={styles.link}>
            {park}
          </Link>
        ) : (
          <Text fw={600}>{park}</Text>
        )}
        {audit?.note && <Text size="sm">{audit.note}</Text>}
        {audit && !completed && (
          <Text size="sm" c="dimmed">
            {audit.assignee ? showName(audit.assignee) : 'Not assigned'}
          </Text>
        )}
        {audit?.follow_up && (
          <Link to={`/audit/${audit.follow_up.id}`} className={styles.link}>
            Follow-up audit{audit.follow_up.completed ? ', completed' : ''}
          </Link>
        )}
      </div>
      <Text fw={600}>{state}</Text>
    </>
  );
}
