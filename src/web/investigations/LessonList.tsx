import { Text } from '@mantine/core';
import { CircleCheck, Hourglass } from 'lucide-react';
import { Link } from 'wouter';
import { formatDay } from '#shared/dates.ts';
import { describeAnswers, type ListedLesson } from '#shared/lessons.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';

/** Lessons with how many parks answered, and which did not. */
export const LessonList = ({ lessons }: { lessons: ListedLesson[] }) => (
  <ul className={rows.list}>
    {lessons.map((lesson) => (
      <li key={lesson.id} className={rows.row}>
        <div className={rows.text}>
          <Link to={`/lessons/${lesson.id}`} className={styles.link}>
            {lesson.title}
          </Link>
          <Text size="sm" c="dimmed">
            Answer by {formatDay(lesson.answer_by)}
            {lesson.missing.length > 0 && `. Not answered: ${lesson.missing.join(', ')}`}
          </Text>
        </div>
        <AnswersTag lesson={lesson} />
      </li>
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
