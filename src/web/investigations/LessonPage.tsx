// A lesson, and what each park answered.
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { Link, useParams } from 'wouter';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { type Lesson, lessonAnswerLabels, lessonTextNames, lessonTexts } from '#shared/lessons.ts';
import { queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { PageSection, PageSections } from '../ui/navigation/PageSection.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';
import { AnswersTag } from './LessonList.tsx';

export function LessonPage() {
  const { id = '' } = useParams();
  const showName = useNames();
  const query = useQuery(queryFor(api.getLesson, { params: { id } }));
  const back = <BackButton to="/investigations">Investigations</BackButton>;
  if (!query.data)
    return (
      <QueryState query={query} failed="The lesson could not be loaded." notFound="Lesson not found" back={back} />
    );
  const lesson = query.data;
  const { title, photos, answer_by, created_at, created_by, investigation, missing, answers } = lesson;
  return (
    <>
      <PageHeading
        title={title}
        text={`Lesson by ${showName(created_by)}, ${formatInstantDay(created_at)}. Answer by ${formatDay(answer_by)}.`}
        back={back}
      >
        <PdfButton href={endpointUrl(api.getLessonPdf, { params: { id } })} />
      </PageHeading>
      <PageSections>
        <PageSection isCard>
          <dl className={styles.facts}>
            {lessonTextNames.map((name) => (
              <Fragment key={name}>
                <dt>{lessonTexts[name]}</dt>
                <dd>{lesson[name]}</dd>
              </Fragment>
            ))}
          </dl>
          <PhotoPreviews
            label="Photo of the lesson"
            photos={photos.map(({ path, name, cutOff }) => ({ src: path, alt: name, cutOff }))}
          />
          {investigation && (
            <Link to={`/investigations/${investigation.id}`} className={rows.link}>
              From {investigation.number}
            </Link>
          )}
        </PageSection>
        <PageSection isCard title="Answers">
          <Group>
            <AnswersTag lesson={lesson} />
          </Group>
          {missing.length > 0 && <Text>Not answered: {missing.join(', ')}.</Text>}
          <RecordList
            query={{ data: answers }}
            row={(answer) => <Answer key={answer.audit?.id ?? answer.park} {...answer} />}
          />
        </PageSection>
      </PageSections>
    </>
  );
}

function Answer({ park, answer, completed, audit }: Lesson['answers'][number]) {
  const showName = useNames();
  const state = answer ? lessonAnswerLabels[answer] : completed ? 'Completed Without an Answer' : 'Not Answered';
  return (
    <RecordRow
      to={audit && `/audit/${audit.id}`}
      title={park}
      text={audit?.note}
      details={[audit && !completed && (audit.assignee ? showName(audit.assignee) : 'Not assigned')]}
    >
      {audit?.follow_up && (
        <Link to={`/audit/${audit.follow_up.id}`} className={rows.link}>
          Follow-up audit{audit.follow_up.completed ? ', completed' : ''}
        </Link>
      )}
      <Text fw={600}>{state}</Text>
    </RecordRow>
  );
}
