/** Answers that make a report reportable under RIDDOR. */
export const fracture = {
  answers: {
    workHow: 'no',
    workKit: 'no',
    workPlace: 'yes',
    exclusions: ['none'],
    road: 'no',
    control: 'us',
    hospitalPremises: 'no',
    occurrence: ['none'],
    gas: 'no',
    gasFitting: 'no',
  },
  people: [{ class: 'employee', harm: 'accident', died: 'no', specified: ['fracture'], absence: 'none', forces: 'no' }],
};
