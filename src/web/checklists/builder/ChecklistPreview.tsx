import { Text, Title } from '@mantine/core';
import { Fragment, useState } from 'react';
import { type Answers, placeHeadings, withAnswer } from '#shared/answers.ts';
import type { NewChecklist } from '#shared/checklists.ts';
import { isShown } from '#shared/shown-questions.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import styles from '../ChecklistForm.module.css';
import { FailurePreview } from '../FailureFields.tsx';
import { isShownAsFailing } from '../failures.ts';
import { SectionField } from '../SectionField.tsx';

type ChecklistPreviewProps = { checklist: NewChecklist; isOpen: boolean; onClose: () => void };

/** A checklist as staff see it, to try out; nothing is saved. */
export const ChecklistPreview = ({ checklist: { title, sections }, isOpen, onClose }: ChecklistPreviewProps) => (
  <Dialog opened={isOpen} onClose={onClose} title="Preview" size="lg">
    <Text c="dimmed">This is what staff will see. Nothing you enter here is saved.</Text>
    <Title order={3} my="md">
      {title || 'No title yet'}
    </Title>
    <PreviewForm sections={sections} />
  </Dialog>
);

function PreviewForm({ sections }: Pick<NewChecklist, 'sections'>) {
  const [answers, setAnswers] = useState<Answers>({});
  const headings = placeHeadings(sections, (index) => isShown(sections, answers, index));
  return (
    <div className={styles.sections}>
      {sections.map((one, index) => {
        if (!isShown(sections, answers, index)) return null;
        const section = { ...one, title: one.title || `Section ${index + 1}` };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the name of a section
          <Fragment key={index}>
            <SectionField
              section={section}
              index={index}
              heading={headings[index] ?? ''}
              error={undefined}
              answer={answers[index]}
              onChange={(index, answer) => setAnswers((answers) => withAnswer(answers, index, answer))}
            />
            {isShownAsFailing(one, answers[index], false) && <FailurePreview section={section} />}
          </Fragment>
        );
      })}
    </div>
  );
}
