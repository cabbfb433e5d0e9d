import { CircleCheck, Hourglass } from 'lucide-react';
import { formatDay } from '#shared/dates.ts';
import { describeAnswers, type ListedLesson } from '#shared/lessons.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';

/** Lessons with how many parks answered, and which did not. */
export const LessonList = ({ lessons }: { lessons: ListedLesson[] }) => (
  <ul className={rows.list}>
    {lessons.map((lesson) => (
      <RecordRow
        key={lesson.id}
        to={`/lessons/${lesson.id}`}
        title={lesson.title}
        details={[
          `Answer by ${formatDay(lesson.answer_by)}${lesson.missing.length > 0 ? '. Not answered: ' : ''}${lesson.missing.join(', ')}`,
        ]}
      >
        <AnswersTag lesson={lesson} />
      </RecordRow>
    ))}
  </ul>
);

export const AnswersTag = ({ lesson }: { lesson: ListedLesson }) => (
  <Tag
    label={describeAnswers(lesson)}
    icon={lesson.missing.length === 0 ? CircleCheck : Hourglass}
    tone={lesson.missing.length === 0 ? 'success' : undefined}
  />
);
