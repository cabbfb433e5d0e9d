// What could show who someone is in a text that is released without names: Replace or Leave, for each.
import { Group, Stack, Text } from '@mantine/core';
import type { ApiError } from '#shared/client.ts';
import {
  type Choice,
  choiceLabels,
  type Decisions,
  replacements,
  type ShownIdentifier,
} from '#shared/people/identifier-choices.ts';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { Radios } from '../ui/forms/Radios.tsx';

/** What the server found in the texts of a form, and what the user chose so far. */
export type Review = { hash: string; found: ShownIdentifier[]; choices: (Choice | null)[] };

/** Returns what the server found; null if it rejected the form for another reason. */
export function readReview({ code, body }: ApiError): Review | null {
  if (code !== 'IDENTIFIABLE') return null;
  const { hash, found } = body as Pick<Review, 'hash' | 'found'>;
  return { hash, found, choices: found.map(() => null) };
}

/** Returns the error of a form whose user has not decided about each. */
export const checkReview = (review: Review | null): { review?: string } =>
  review?.choices.includes(null) ? { review: 'Choose Replace or Leave for each' } : {};

export const toDecisions = (review: Review | null): Decisions | undefined =>
  review ? { hash: review.hash, choices: review.choices.filter((choice) => choice !== null) } : undefined;

type IdentifierReviewProps = { review: Review; error: string | undefined; onChange: (review: Review) => void };

export function IdentifierReview({ review, error, onChange }: IdentifierReviewProps) {
  const { found, choices } = review;
  const choose = (index: number, choice: Choice) =>
    onChange({ ...review, choices: choices.map((other, at) => (at === index ? choice : other)) });
  return (
    <FieldGroup
      label="This may show who someone is"
      description="Choose for each whether it is replaced or left. If you change the text, it is searched again."
      required
      error={error}
    >
      <Stack gap="md" mt="xs">
        {found.map(({ kind, before, found, after }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be found twice; the list never changes
          <div key={index} role="radiogroup" aria-label={`${index + 1}: ${found}`}>
            {/* What is found is a part of these words, not of a translation. */}
            <Text translate="no">
              <span>{before}</span>
              <mark>{found}</mark>
              <span>{after}</span>
            </Text>
            <Group gap="lg">
              <Radios
                labels={{ ...choiceLabels, replace: `${choiceLabels.replace} with ${replacements[kind]}` }}
                value={choices[index]}
                onChange={(choice) => choose(index, choice)}
              />
            </Group>
          </div>
        ))}
      </Stack>
    </FieldGroup>
  );
}
