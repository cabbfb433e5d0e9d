// The facts of an accident: the answers about the event and each person, and the days from which
// deadlines are counted.

export type AbsenceSpell = { from: string; back: string | null };
export type Answer = string | number | string[] | AbsenceSpell[] | null;
export type Answers = Record<string, Answer | undefined>;

export type Facts = {
  /** The day of the accident, YYYY-MM-DD. */
  accidentOn: string;
  /** The last day on which the answers about an absence were true. */
  asOf: string;
  event: Answers;
  people: Answers[];
};

export const unsure = 'unsure';

/** The answers about one person, or about the event alone. */
export type Subject = { accidentOn: string; asOf: string; answers: Answers };

/** Returns the answers about the event, and those about a person counted from 0. */
export const toSubject = ({ accidentOn, asOf, event, people }: Facts, person: number | null): Subject => ({
  accidentOn,
  asOf,
  answers: person === null ? event : { ...event, ...people[person] },
});

/** Returns an answer as a list; empty if it is missing. */
export function listAnswers(answers: Answers, field: string): string[] {
  const answer = answers[field];
  if (answer === undefined || answer === null || answer === '') return [];
  return Array.isArray(answer) ? answer.filter((item) => typeof item === 'string') : [String(answer)];
}

/** Returns the day given as an answer; undefined if unknown. */
export function getDay({ accidentOn, answers }: Subject, field: string): string | undefined {
  if (field === 'accidentOn') return accidentOn;
  const answer = answers[field];
  return typeof answer === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(answer) ? answer : undefined;
}

/** Returns the facts with this answer about the event, or about a person counted from 0. */
export function setFieldAnswer(facts: Facts, field: string, person: number | null, answer: Answer | undefined): Facts {
  if (person === null) return { ...facts, event: { ...facts.event, [field]: answer } };
  const people = facts.people.map((answers, index) => (index === person ? { ...answers, [field]: answer } : answers));
  return { ...facts, people };
}
