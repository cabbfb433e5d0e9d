// Where the user is in a checklist: the question used last, and the boxes that were skipped on the way there.
import { type FocusEvent, type FormEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { type Answers, isAnswered } from '#shared/answers.ts';
import type { Section } from '#shared/checklists.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import type { createStore } from '../createStore.ts';
import { showField } from '../ui/forms/fieldErrors.ts';
import { type EnteredFailures, hasNote } from './failures.ts';

/** From how many questions a checklist is too long to be seen as a whole. */
const minLongLength = 15;

/**
 * Runs after the press that moved the focus, if any: content that appears before it ends would move
 * the pressed button away from the finger.
 */
function runAfterPress(action: () => void) {
  if (document.querySelector(':active')) addEventListener('click', action, { once: true });
  else setTimeout(action);
}

const findIndex = (element: Element) => {
  const index = element.closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
};

type PositionOptions = {
  sections: Section[];
  answers: Answers;
  failures: EnteredFailures;
  /** The question that was used last, to which the form returns. */
  at: ReturnType<typeof createStore<number | undefined>>;
  /** Called when the user has reached this question, past those above it. */
  onReached: (index: number) => void;
};

export function usePosition(
  form: RefObject<HTMLFormElement | null>,
  { sections, answers, failures, at, onReached }: PositionOptions,
) {
  /** The number field with the focus, and its earlier answer, which counts until the field is left. */
  const [typing, setTyping] = useState<{ index: number; before: Answers[string] | undefined }>();
  const asked = [...sections.keys()].filter((index) => isRecorded(sections, answers, index));
  const isLong = asked.length >= minLongLength;
  const findQuestion = (index: number) => form.current?.querySelector(`[data-index="${index}"]`);

  // Scrolling past a box skips it too, once any question is answered.
  const pass = useEffectEvent((box: Element) => {
    if (Object.keys(answers).length > 0) onReached((findIndex(box) ?? -1) + 1);
  });
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        if (!isIntersecting && boundingClientRect.bottom < 0) pass(target);
    });
    for (const box of form.current?.querySelectorAll('[data-index] [type="checkbox"]') ?? []) observer.observe(box);
    return () => observer.disconnect();
  }, [form]);

  const scrollToStart = useEffectEvent(() => {
    const start = at.get();
    const question = isLong && start !== undefined && findQuestion(start);
    if (!(question instanceof HTMLElement)) return;
    // The question itself, not its field, takes the focus, so that no keyboard covers half of the screen.
    question.tabIndex = -1;
    question.focus({ preventScroll: true });
    // Notes and photos above it are still being loaded, so it stays in view until the user does something.
    const observer = new ResizeObserver(() => question.scrollIntoView({ block: 'center' }));
    observer.observe(question.parentElement ?? question);
    for (const type of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(type, () => observer.disconnect(), { once: true });
  });
  useEffect(() => {
    // After a link to this checklist has scrolled to its top.
    const frame = requestAnimationFrame(() => scrollToStart());
    return () => cancelAnimationFrame(frame);
  }, []);

  const unanswered = asked.filter((index) => {
    const section = sections[index] as Section;
    return section.type === 'photo' ? !hasNote(failures[index]) : !isAnswered(section, answers[index]);
  });

  return {
    isLong,
    typing,
    endTyping: () => setTyping(undefined),
    handlers: {
      onFocus({ target }: FocusEvent) {
        const index = findIndex(target);
        if (index === undefined) return;
        at.set(index);
        if (sections[index]?.number && target instanceof HTMLInputElement) setTyping({ index, before: answers[index] });
        runAfterPress(() => onReached(index));
      },
      // An answer that is tapped does not get the focus in Safari. Captured, because the answer is stored with its place.
      onChangeCapture({ target }: FormEvent<Element>) {
        at.set(findIndex(target as Element) ?? at.get());
      },
      onBlur({ target }: FocusEvent) {
        const index = findIndex(target);
        runAfterPress(() => setTyping((typing) => (typing?.index === index ? undefined : typing)));
      },
    },
    /** The number of questions that are shown and ask something. */
    count: asked.length,
    unanswered,
    /** Goes to the first unanswered question below the one used last, or the first of all. */
    showNextUnanswered() {
      const next = unanswered.find((index) => index > (at.get() ?? -1)) ?? unanswered[0];
      const field = findQuestion(next ?? -1)?.querySelector<HTMLElement>('input, select, textarea, button');
      if (field) showField(field);
    },
  };
}
