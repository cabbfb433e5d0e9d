// A checklist of the demo with a question of every type.
import type * as z from 'zod/mini';
import type { NewChecklist } from '#shared/checklists.ts';

const toChoices = (texts: string[], failing: string[] = []) =>
  texts.map((text) => ({ text, fails: failing.includes(text) }));
const limits = { unit: 'mg/l', allowNA: true };
const audit = { urgent: false, days: 2 };

export const everyTypeChecklist: z.input<typeof NewChecklist> = {
  title: 'Pool opening: water, people and surroundings',
  notes: 'any',
  sections: [
    {
      ...{ title: 'Before you start', type: 'info', required: false },
      help: 'Wear gloves and goggles.\nKeep guests out of the water until the last question is answered.',
    },
    { title: 'Park', type: 'site', required: true },
    { title: 'Checked with', type: 'person', required: false, help: 'A colleague, or the name of a contractor.' },
    {
      ...{ title: 'Disinfectant', type: 'choice', required: true, heading: 'Water' },
      choices: toChoices(['Chlorine', 'Bromine']),
    },
    {
      ...{ title: 'Free chlorine', type: 'text', required: true, help: 'Take the sample at the shallow end.' },
      number: { ...limits, min: 1, max: 3 },
      onFail: { when: 'outOfRange', photo: 'optional', audit },
      showIf: { section: 3, answers: ['Chlorine'] },
    },
    {
      ...{ title: 'Bromine', type: 'text', required: true },
      number: { ...limits, min: 2, max: 4 },
      onFail: { when: 'outOfRange', photo: 'optional', audit },
      showIf: { section: 3, answers: ['Bromine'] },
    },
    {
      ...{ title: 'Seen in the water', type: 'choices', required: false },
      choices: toChoices(['Leaves', 'Sand', 'Broken glass'], ['Broken glass']),
      onFail: { when: 'chosen', photo: 'required', audit: { urgent: true, days: 0 } },
    },
    { title: 'The whole pool', type: 'photo', required: true, help: 'From the steps, with the clock.' },
    { title: 'Rescue equipment in place', type: 'checkbox', required: false, heading: 'Surroundings' },
    { title: 'Is the slide open?', type: 'na', required: true },
    {
      ...{ title: 'Slide dry and without sharp edges?', type: 'na', required: true },
      onFail: { when: 'No', photo: 'optional' },
      showIf: { section: 9, answers: ['Yes'] },
    },
    { title: 'Anything else', type: 'text', required: false },
    { title: 'Next full test', type: 'date', required: false },
    { title: 'Opened at', type: 'time', required: true },
    { title: 'Signature', type: 'signature', required: true },
  ],
};
