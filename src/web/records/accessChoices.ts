// Choices about several records of an access request at once. Each record gets a choice of its own.
import { type Choice, type Hit, maxHitText } from '#shared/people/access-requests.ts';
import { createWordFinder } from '#shared/people/redact.ts';

/** By the id of the record. */
export type Choices = Record<string, Choice>;

/** Returns the records without a choice that certainly name the person, and nobody else. Log entries name their actor. */
export const listSendable = (hits: Hit[], choices: Choices): Hit[] =>
  hits.filter(
    ({ id, thing, isPossible, others }) =>
      !isPossible && others.length === 0 && thing !== 'activity' && choices[id] === undefined,
  );

/** Returns the choice to black out what was chosen so far; at first everyone else whom the record names. */
export const toRedacted = (hit: Hit, choice: Choice | undefined) => ({
  ...choice,
  id: hit.id,
  choice: 'redact' as const,
  texts: choice?.texts ?? hit.others,
  images: choice?.images ?? hit.images.map((path) => ({ path, isLeftOut: false, boxes: [] })),
});

/** Returns the choices with which a name is blacked out in every record that may be sent and contains it. */
export function redactInAll(name: string, hits: Hit[], choices: Choices): Choice[] {
  const find = createWordFinder([name]);
  return hits.flatMap((hit) => {
    const choice = choices[hit.id];
    const mayBeSent = hit.isPossible ? choice && choice.choice !== 'leave' : choice?.choice !== 'leave';
    // The end of a long text is unknown here.
    const isNamed = hit.texts.some(({ text }) => text.length >= maxHitText || find(text).length > 0);
    if (!mayBeSent || !isNamed) return [];
    const redacted = toRedacted(hit, choice);
    return [{ ...redacted, texts: [...new Set([...redacted.texts, name])] }];
  });
}
