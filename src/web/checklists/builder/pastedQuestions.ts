// Lines that are pasted into the checklist editor become questions.

export type PastedQuestion = { title: string; heading?: string | undefined; help?: string };

/** Signs and numbers at the start of the lines of lists: `1.`, `b)`, `•`, `☐`. */
const listSign = /^(?:[-–*•·▪◦‣☐□❑✓]|\(?(?:\d{1,3}|[a-zA-Z])[.)])\s+/u;

/**
 * Returns the questions of a text of several lines; undefined if it has fewer than two. A line that ends with a colon is
 * the heading of the next one; the last line is always a question. The second column of a table is the help.
 */
export function toQuestions(text: string): PastedQuestion[] | undefined {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim().replace(listSign, '').trim())
    .filter(Boolean);
  if (lines.length < 2) return undefined;
  const questions: PastedQuestion[] = [];
  let heading: string | undefined;
  for (const [index, line] of lines.entries()) {
    const isHeading = line.length > 1 && line.endsWith(':') && index < lines.length - 1;
    if (isHeading) heading = [heading, line.slice(0, -1).trim()].filter(Boolean).join(': ');
    else {
      const [title = '', ...columns] = line.split('\t').map((column) => column.trim());
      const help = columns.filter(Boolean).join(' ');
      questions.push({ title, ...(heading !== undefined && { heading }), ...(help && { help }) });
      heading = undefined;
    }
  }
  return questions;
}
