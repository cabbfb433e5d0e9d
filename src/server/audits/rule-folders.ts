/** The folders that each park has for audits that the product creates. Each is created with its first audit. */
export const ruleFolders = {
  hazards: { name: 'Hazards', description: 'Hazards that users report.' },
  checks: { name: 'From checks', description: 'Audits created by failing answers of checklists.' },
  lessons: { name: 'Lessons', description: 'What happened elsewhere, to look at here.' },
};

export type RuleFolder = keyof typeof ruleFolders;

const names = new Set(Object.values(ruleFolders).map(({ name }) => name));

/** Whether rules put audits into a folder of this name: also into one that someone created. */
export const isRuleFolder = ({ name }: { name: string }): boolean => names.has(name);
