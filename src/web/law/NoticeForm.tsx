import { Button, Text } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay, formatMonth } from '#shared/dates.ts';
import { type Assessment, assessmentLimits } from '#shared/law/assessment.ts';
import { type Duty, mayBeOwnDuty, type Result } from '#shared/law/evaluate.ts';
import type { NoticeWay } from '#shared/law/riddor-state.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { formNames } from '../formNames.ts';
import { Fields, line, lines } from '../forms/Fields.tsx';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { Name } from '../ui/feedback/Name.tsx';
import { StatusLine, toStatus } from '../ui/feedback/StatusLine.tsx';
import { changeWithDay, type FormDay, showDay } from '../ui/forms/useToday.ts';
import { useIsFormOpen } from '../ui/forms/useTypedInput.ts';
import { RiddorStateLine } from './RiddorStateLine.tsx';
import styles from './riddor.module.css';
import { StepHeading } from './StepHeading.tsx';

const noticeWayTexts: Record<NoticeWay, string> = {
  online: "On HSE's form",
  telephone: 'By telephone to HSE',
  toldThem: 'I told the firm that must report it',
};

type NoticeFields = FormDay & { how: NoticeWay; hseReference: string; note: string };
type Notice = Omit<NoticeFields, keyof FormDay> & { on: string; duties: string[] };

type NoticeFormProps = {
  saved: Assessment;
  ruleSet: RuleSet;
  today: string;
  /** Whether to report is the manager's next step. */
  isNextStep: boolean;
};

const describeSource = (checkedOn: string) =>
  `Telephone as published by HSE, read in ${formatMonth(checkedOn.slice(0, 7))}; hse.gov.uk/riddor has the current one.`;

/** The duties that a notice fulfils: one report to HSE fulfils all that the same facts cause. */
function listDuties({ result, decision }: Assessment): Duty[] {
  const { duties = [], openDuties = [] } = (result ?? {}) as unknown as Partial<Result>;
  return decision === 'reportable' || duties.length === 0 ? [...duties, ...openDuties] : duties;
}

/** Whether there is something to report, or something reported to show. */
export const mayBeReported = (saved: Assessment) =>
  saved.notices.length > 0 ||
  saved.decision === 'reportable' ||
  (saved.decision === null && listDuties(saved).length > 0);

/** Recorded notices to HSE or the firm that must report, and a form to add one. */
export function NoticeForm({ saved, ruleSet, today, isNextStep }: NoticeFormProps) {
  const showName = useNames();
  const name = formNames.notice(saved.report_id);
  const duties = listDuties(saved);
  const isTheirs = duties.length > 0 && !duties.some(mayBeOwnDuty);
  const defaultMethod: NoticeWay = isTheirs ? 'toldThem' : 'online';
  const [isOpen, setOpen] = useIsFormOpen(name);
  const [isRecorded, setRecorded] = useState(false);
  const form = useForm<NoticeFields, unknown, Notice>(name, {
    start: { how: defaultMethod, hseReference: '', note: '' },
    check: ({ how, hseReference, note }) =>
      how === 'online' && hseReference.trim() === '' && note.trim() === ''
        ? { hseReference: "Enter HSE's reference, or in the note why there is none" }
        : {},
    toChanges: (values, changes) => changeWithDay(values, changes, today),
    toSent: ({ day: on = today, givenDay: _, ...fields }) => ({ ...fields, on, duties: duties.map(({ id }) => id) }),
    send: (body, key) => callApiWithRetry(api.addRiddorNotice, { params: { id: saved.report_id }, body, key }),
    toFieldErrors: ({ on, ...others }) => (on ? { ...others, day: on } : others),
    onSaved() {
      setOpen(false);
      setRecorded(true);
    },
  });
  const { values, failure } = form;
  const { how } = values;
  const { contacts } = ruleSet;

  const problem = failure && (failure.message || 'This could not be recorded. Please try again.');
  return (
    <section className={styles.card}>
      <StepHeading isNextStep={isNextStep}>
        {isTheirs ? 'Telling the Firm That Reports' : 'Reporting to HSE'}
      </StepHeading>
      <Text>
        <RiddorStateLine riddorState={saved.clock} />
      </Text>
      {contacts && !isTheirs && (
        <Text size="sm" c="dimmed">
          Telephone {contacts.telephone}, {contacts.telephoneHours}. {describeSource(contacts.checkedOn)}
        </Text>
      )}
      {saved.notices.length > 0 && (
        <>
          <ul className={styles.reasons}>
            {saved.notices.map((notice) => (
              <li key={notice.id}>
                {formatDay(notice.on)}: {noticeWayTexts[notice.how]}
                {notice.hse_reference && `, HSE ref ${notice.hse_reference}`}
                {notice.note && `, ${notice.note}`} (<Name>{showName(notice.created_by)}</Name>)
              </li>
            ))}
          </ul>
          <Text size="sm" c="dimmed">
            Made a mistake? Record it again. The last entry counts, and earlier ones stay visible.
          </Text>
        </>
      )}
      <div className={styles.actions}>
        {contacts && !isTheirs && (
          <Button
            component="a"
            href={contacts.formUrl}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLink aria-hidden size={16} />}
          >
            Open HSE's Form
          </Button>
        )}
        <Button
          variant={isOpen ? 'default' : 'filled'}
          aria-expanded={isOpen}
          onClick={() => {
            setRecorded(false);
            setOpen(!isOpen);
          }}
        >
          {isTheirs ? 'I Have Told Them' : 'I Have Reported It'}
        </Button>
      </div>
      {isOpen && (
        <FormElement form={form} className={styles.form}>
          <Fields
            form={form}
            fields={{
              how: { kind: 'choice', label: 'How', labels: noticeWayTexts },
              day: {
                kind: 'day',
                label: how === 'toldThem' ? 'Day told' : 'Day reported',
                max: today,
                ...showDay(values, today),
              },
              hseReference:
                how !== 'toldThem' && line("HSE's reference", assessmentLimits.reference, { autoComplete: 'off' }),
              note: lines('Note', textLimits.note, {
                description: how === 'online' ? 'Why there is no reference, if there is none' : 'Optional',
                minRows: 2,
              }),
            }}
          />
          <div className={styles.actions}>
            <Button type="submit" loading={form.isSaving}>
              Record It
            </Button>
          </div>
        </FormElement>
      )}
      <StatusLine status={toStatus(problem, isRecorded && 'Recorded')} />
    </section>
  );
}
