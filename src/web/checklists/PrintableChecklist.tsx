// A checklist printed on A4, with answers or empty to fill in by pen. Not visible on screen.
import { Fragment, useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { type Answers, formatAnswer, placeHeadings } from '#shared/answers.ts';
import { type Answer, listPossibleAnswers, notApplicable, type Section } from '#shared/checklists.ts';
import { formatInstant } from '#shared/dates.ts';
import { formatRange } from '#shared/failing-answers.ts';
import { isSignatureUrl } from '#shared/reports/signature-url.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { getOperatorName } from '../operator.ts';
import { countPhotos, type EnteredFailures, type Failure, isShownAsFailing } from './failures.ts';
import styles from './PrintableChecklist.module.css';

type PrintableChecklistProps = {
  title: string;
  sections: Section[];
  /** Without answers it is printed to fill in by pen. */
  answers: Answers | undefined;
  /** Notes on answers. */
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

  const isPrinted = (index: number) =>
    answers ? isRecorded(sections, answers, index) : sections[index]?.type !== 'info';
  const headings = placeHeadings(sections, isPrinted);

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
          {sections.map(
            (section, index) =>
              isPrinted(index) && (
                // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name, and nothing moves on paper
                <Fragment key={index}>
                  {headings[index] && (
                    <tr>
                      <th scope="colgroup" colSpan={2}>
                        {headings[index]}
                      </th>
                    </tr>
                  )}
                  <tr>
                    <th scope="row">
                      {section.title}
                      {section.required && ' *'}
                      {section.number && (
                        <span className={styles.range}>{formatRange(section.number) || section.number.unit}</span>
                      )}
                      {!answers && section.showIf && (
                        <span className={styles.range}>
                          Only if {sections[section.showIf.section]?.title}: {section.showIf.answers.join(' or ')}
                        </span>
                      )}
                    </th>
                    <td>
                      {answers ? (
                        <PrintedAnswer section={section} answer={answers[index]} failure={failures[index]} />
                      ) : (
                        <BlankAnswer section={section} />
                      )}
                    </td>
                  </tr>
                </Fragment>
              ),
          )}
        </tbody>
      </table>
      <p className={styles.note}>* must be filled in</p>
    </article>,
    document.body,
  );
}

type PrintedAnswerProps = { section: Section; answer: Answer | undefined; failure: Failure | undefined };

function PrintedAnswer({ section, answer, failure }: PrintedAnswerProps) {
  const isFailing = isShownAsFailing(section, answer, failure !== undefined);
  const text = section.type === 'photo' ? countPhotos(failure) : formatAnswer(section, answer);
  return (
    <>
      {section.type === 'signature' && isSignatureUrl(answer) ? (
        <img src={answer} alt={`Signature: ${section.title}`} className={styles.signature} />
      ) : (
        text || <span className={styles.missing}>Not provided</span>
      )}
      {isFailing ? (
        <p className={styles.failing}>
          <strong>Failing</strong>
          {failure?.note && `: ${failure.note}`}
        </p>
      ) : (
        failure?.note && <p className={styles.failing}>Note: {failure.note}</p>
      )}
    </>
  );
}

/** Space to write. */
function BlankAnswer({ section }: { section: Section }) {
  const { type } = section;
  switch (type) {
    case 'checkbox':
      return <span className={styles.box} />;
    case 'na':
    case 'choice':
    case 'choices':
      return listPossibleAnswers(section).map((choice) => (
        <span key={choice} className={styles.option}>
          <span className={styles.box} /> {choice}
        </span>
      ));
    case 'date':
      return <span className={styles.digits}>____ / ____ / ________</span>;
    case 'time':
      return <span className={styles.digits}>____ : ____</span>;
    case 'photo':
      return (
        <>
          <span className={styles.box} /> Photo taken
        </>
      );
    case 'person':
      return <span className={styles.site} />;
    default:
      return (
        <>
          <span className={styles[type]} />
          {section.number?.allowNA && (
            <>
              <span className={styles.box} /> {notApplicable}
            </>
          )}
        </>
      );
  }
}
