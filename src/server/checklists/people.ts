// The users whom answers to `person` sections name.
import type { Answers } from '#shared/answers.ts';
import type { Section } from '#shared/checklists.ts';
import { foldText } from '#shared/text.ts';
import type { Database } from '../db/schema.ts';
import { getIds } from '../ids.ts';

/**
 * Returns the ids of users by section, of those that were sent. Leaves out one that does not have the name in the
 * answer: it is the answer that people see.
 */
export async function findAnsweredPeople(
  db: Database,
  sections: Section[],
  answers: Answers,
  sent: Record<string, string> = {},
): Promise<Map<number, string>> {
  const named = sections.flatMap(({ type }, index) => {
    const id = Object.hasOwn(sent, index) ? sent[index] : undefined;
    const name = answers[index];
    return type === 'person' && id && typeof name === 'string' ? [{ index, id, name: foldText(name) }] : [];
  });
  if (named.length === 0) return new Map();
  const users = await db
    .selectFrom('users')
    .select(['id', 'username', 'full_name'])
    .where('deleted_at', 'is', null)
    .where('id', 'in', getIds(named))
    .execute();
  const names = new Map(
    users.map(({ id, username, full_name }) => [
      id,
      [username, full_name, `${full_name} (${username})`].map((name) => foldText(name)),
    ]),
  );
  return new Map(named.flatMap(({ index, id, name }) => (names.get(id)?.includes(name) ? [[index, id]] : [])));
}
