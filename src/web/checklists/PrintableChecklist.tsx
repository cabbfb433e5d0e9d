// A checklist printed on A4, with answers or empty to fill in by pen. Not visible on screen.
import { Fragment, useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { type Answers, formatAnswer } from '#shared/answers.ts';
import { type Answer, naAnswers, type Section } from '#shared/checklists.ts';
import { formatInstant } from '#shared/dates.ts';
import { formatRange } from '#shared/failing-answers.ts';
import { isSignatureUrl } from '#shared/reports/signature-url.ts';
import { getOperatorName } from '../operator.ts';
import { type EnteredFailures, isShownAsFailing } from './failures.ts';
import styles from './PrintableChecklist.module.css';

type PrintableChecklistProps = {
  title: string;
  sections: Section[];
  /** Without answers it is printed to fill in by pen. */
  answers: Answers | undefined;
  /** Notes on failing answers. */
  failures?: EnteredFailures;
  place?: { name: string; park?: string } | undefined;
  by: string;
  onPrinted: () => void;
};

/** Opens the print dialog once its images are loaded. */
export function PrintableChecklist({
  title,
  sections,
  answers,
  failures = {},
  place,
  by,
  onPrinted,
}: PrintableChecklistProps) {
  const printout = useRef<HTMLElement>(null);
  const handlePrinted = useEffectEvent(onPrinted);

  // The browser would print before the signature images are loaded.
  useEffect(() => {
    let isCurrent = true;
    const pictures = [...(printout.current?.querySelectorAll('img') ?? [])];
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => isCurrent && window.print());
    window.addEventListener('afterprint', handlePrinted);
    return () => {
      isCurrent = false;
      window.removeEventListener('afterprint', handlePrinted);
    };
  }, []);

  return createPortal(
    <article ref={printout} className={styles.printout}>
      <header className={styles.header}>
        <p>{getOperatorName()}</p>
        <h1>{title}</h1>
        {place && <p translate="no">{[place.name, place.park].filter(Boolean).join(', ')}</p>}
        {answers ? (
          <p>
            Filled in by {by}, printed {formatInstant(new Date().toISOString())}
          </p>
        ) : (
          <p className={styles.signing}>
            <span>Filled in by</span>
            <span>Date</span>
          </p>
        )}
      </header>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Answer</th>
          </tr>
        </thead>
        <tbody>
          {sections.map((section, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name, and nothing moves on paper
            <Fragment key={index}>
              {section.heading && (
                <tr>
                  <th scope="colgroup" colSpan={2}>
                    {section.heading}
                  </th>
                </tr>
              )}
              <tr>
                <th scope="row">
                  {section.title}
                  {section.required && ' *'}
                  {section.number && <span className={styles.range}>{formatRange(section.number)}</span>}
                </th>
                <td>
                  {answers ? (
                    <PrintedAnswer section={section} answer={answers[index]} />
                  ) : (
                    <BlankAnswer section={section} />
                  )}
                  {answers && isShownAsFailing(section, answers[index], failures[index] !== undefined) && (
                    <p className={styles.failing}>
                      <strong>Failing</strong>
                      {failures[index]?.note && `: ${failures[index].note}`}
                    </p>
                  )}
                </td>
              </tr>
            </Fragment>
          ))}
        </tbody>
      </table>
      <p className={styles.note}>* must be filled in</p>
    </article>,
    document.body,
  );
}

function PrintedAnswer({ section, answer }: { section: Section; answer: Answer | undefined }) {
  if (section.type === 'signature' && isSignatureUrl(answer))
    return <img src={answer} alt={`Signature: ${section.title}`} className={styles.signature} />;
  const text = formatAnswer(section, answer);
  return text ? text : <span className={styles.missing}>Not provided</span>;
}

/** Space to write. */
function BlankAnswer({ section: { type } }: { section: Section }) {
  switch (type) {
    case 'checkbox':
      return <span className={styles.box} />;
    case 'na':
      return naAnswers.map((choice) => (
        <span key={choice} className={styles.option}>
          <span className={styles.box} /> {choice}
        </span>
      ));
    case 'date':
      return <span className={styles.digits}>____ / ____ / ________</span>;
    case 'time':
      return <span className={styles.digits}>____ : ____</span>;
    default:
      return <span className={styles[type]} />;
  }
}
