// Which questions of a checklist are shown, by the answers to earlier ones; for the form, the server and the PDF.
import type { Answer, Section } from './checklists.ts';

/** Whether the answer to a question is chosen from its list. */
/** The number of sections that ask something. */
export const countQuestions = (sections: Pick<Section, 'type'>[]): number =>
  sections.filter(({ type }) => type !== 'info').length;

export const hasChoices = ({ type }: Pick<Section, 'type'>): boolean => type === 'choice' || type === 'choices';

/** The lines of an answer: the texts that were chosen from a list. */
export const listLines = (answer: string): string[] =>
  answer
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);

/** Whether a question is shown: always, or if the one on which it depends is shown and has one of the named answers. */
export function isShown(sections: Section[], answers: Record<string, Answer | null>, index: number): boolean {
  const showIf = sections[index]?.showIf;
  if (!showIf) return true;
  const source = sections[showIf.section];
  if (!source || showIf.section >= index) return false;
  const answer = answers[showIf.section];
  return (
    listGivenAnswers(source, answer).some((given) => showIf.answers.includes(given)) &&
    isShown(sections, answers, showIf.section)
  );
}

/** A box that is not ticked has the answer `No`, also if it was never touched. */
function listGivenAnswers({ type }: Section, answer: Answer | null | undefined): string[] {
  if (type === 'checkbox') return [answer === true ? 'Yes' : 'No'];
  return typeof answer === 'string' ? listLines(answer) : [];
}

/** Whether records show the question: it was shown, and asks something. */
export const isRecorded = (sections: Section[], answers: Record<string, Answer | null>, index: number): boolean =>
  sections[index]?.type !== 'info' && isShown(sections, answers, index);
