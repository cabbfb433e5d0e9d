// A record that names a person: its text, the other people in it, and whether it is sent.
import { Text, Textarea } from '@mantine/core';
import { useId } from 'react';
import { textLimits } from '#shared/choices.ts';
import type { Choice, Hit } from '#shared/people/access-requests.ts';
import answerStyles from '../law/AnswerField.module.css';
import { Facts } from '../ui/feedback/Facts.tsx';
import { Radios } from '../ui/forms/Radios.tsx';
import { toRedacted } from './accessChoices.ts';
import { ImageRedaction } from './ImageRedaction.tsx';
import styles from './records.module.css';

const choiceLabels: Record<Choice['choice'], string> = { send: 'Send', redact: 'Send redacted', leave: 'Leave out' };

type HitChoiceProps = { hit: Hit; choice: Choice | undefined; onChoose: (choice: Choice) => void };

export function HitChoice({ hit, choice, onChoose }: HitChoiceProps) {
  const groupName = useId();
  const redacted = toRedacted(hit, choice);
  const { texts, images } = redacted;
  const storedImages = images.filter(({ path }) => path.startsWith('/uploads/'));
  const change = (changes: Partial<Choice>) => onChoose({ ...redacted, ...choice, ...changes });
  return (
    <>
      <details>
        <summary>
          <Text span fw={600} id={`${groupName}-label`}>
            {hit.label}
          </Text>
          <Text size="sm" c="dimmed">
            Found in: {hit.where.join(', ')}. {hit.others.length > 0 ? `Also names ${hit.others.join(', ')}.` : ''}
          </Text>
        </summary>
        <Facts className={styles.says} facts={hit.texts.map(({ field, text }) => ({ label: field, value: text }))} />
      </details>
      <div role="radiogroup" aria-labelledby={`${groupName}-label`} className={styles.choices}>
        <Radios
          labels={choiceLabels}
          value={choice?.choice}
          className={answerStyles.option}
          onChange={(kind) => (kind === 'redact' ? onChoose(redacted) : change({ choice: kind }))}
        />
      </div>
      {choice?.choice === 'leave' && (
        <Textarea
          className={styles.wide}
          label="Why it is left out"
          value={choice.because ?? ''}
          maxLength={textLimits.reason}
          autosize
          minRows={1}
          onChange={({ currentTarget }) => change({ because: currentTarget.value })}
        />
      )}
      {choice?.choice === 'redact' && (
        <div className={styles.wide}>
          <Textarea
            label="Black out these words"
            description="One name or phrase on each line. They are blacked out everywhere in the copy."
            value={texts.join('\n')}
            autosize
            minRows={2}
            onChange={({ currentTarget }) => change({ texts: currentTarget.value.split('\n') })}
          />
          {storedImages.length > 0 && <Text mt="md">Drag over an image to black out a part of it.</Text>}
          {storedImages.map((image, index) => (
            <ImageRedaction
              key={image.path}
              image={image}
              label={`Image ${index + 1} of ${images.length}`}
              onChange={(changed) =>
                change({ images: images.map((one) => (one.path === changed.path ? changed : one)) })
              }
            />
          ))}
        </div>
      )}
    </>
  );
}
