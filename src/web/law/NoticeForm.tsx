import { Button, NativeSelect, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { type Assessment, assessmentLimits } from '#shared/law/assessment.ts';
import type { NoticeWay } from '#shared/law/clock.ts';
import type { Result } from '#shared/law/evaluate.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { mutationWithRetryFor } from '../client/api.ts';
import { readError } from '../client/errors.ts';
import { useNames } from '../client/names.ts';
import { newUuid } from '../newUuid.ts';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { ClockLine } from './ClockLine.tsx';
import styles from './riddor.module.css';

const ways: Record<NoticeWay, string> = {
  online: "On HSE's form",
  telephone: 'By telephone to HSE',
  toldThem: 'I told the firm that must report it',
};

/** Recorded notices to HSE or the firm that must report, and a form to add one. */
export function NoticeForm({ saved, set, today }: { saved: Assessment; set: RuleSet; today: string }) {
  const showName = useNames();
  const add = useMutation(mutationWithRetryFor(api.addRiddorNotice));
  const [isOpen, setOpen] = useState(false);
  const [how, setHow] = useState<NoticeWay>('online');
  const [on, setOn] = useState(today);
  const [hseReference, setReference] = useState('');
  const [note, setNote] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [status, setStatus] = useState<Status>();
  const [key, setKey] = useState(newUuid);
  const { duties = [], openDuties = [] } = (saved.result ?? {}) as unknown as Partial<Result>;
  const { contacts } = set;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    if (how === 'online' && hseReference.trim() === '' && note.trim() === '') {
      setErrors({ hseReference: "Enter HSE's reference, or in the note why there is none" });
      return;
    }
    // One report fulfils every duty on the same facts.
    const settled = [...duties, ...(saved.decision === 'reportable' ? openDuties : [])].map(({ id }) => id);
    add.mutate(
      { params: { id: saved.report_id }, body: { duties: settled, how, on, hseReference, note }, key },
      {
        onSuccess() {
          setOpen(false);
          setReference('');
          setNote('');
          setKey(newUuid());
          setStatus({ kind: 'success', text: 'Recorded' });
        },
        onError(error) {
          setErrors(readError(error).fields);
          setStatus({ kind: 'error', text: error.message || 'This could not be recorded. Please try again.' });
        },
      },
    );
  };

  return (
    <section className={styles.card}>
      <Title order={3} size="h4">
        Reporting to HSE
      </Title>
      <Text>
        <ClockLine clock={saved.clock} />
      </Text>
      {contacts && (
        <Text size="sm" c="dimmed">
          Telephone {contacts.telephone}, {contacts.telephoneHours}. {contacts.note}
        </Text>
      )}
      {saved.notices.length > 0 && (
        <ul className={styles.reasons}>
          {saved.notices.map((notice) => (
            <li key={notice.id}>
              {formatDay(notice.on)}: {ways[notice.how]}
              {notice.hse_reference && `, HSE ref ${notice.hse_reference}`}
              {notice.note && `, ${notice.note}`} ({showName(notice.created_by)})
            </li>
          ))}
        </ul>
      )}
      <div className={styles.actions}>
        {contacts && (
          <Button
            component="a"
            href={contacts.formUrl}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLink aria-hidden size={16} />}
          >
            Open HSE's form
          </Button>
        )}
        <Button
          variant={isOpen ? 'default' : 'filled'}
          aria-expanded={isOpen}
          onClick={() => {
            setStatus(undefined);
            setOpen(!isOpen);
          }}
        >
          I have reported it
        </Button>
      </div>
      {isOpen && (
        <form onSubmit={submit} noValidate className={styles.form}>
          <NativeSelect
            label="How"
            value={how}
            data={Object.entries(ways).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget }) => setHow(currentTarget.value as NoticeWay)}
          />
          <DateField label="On" value={on} max={today} onChange={setOn} error={errors.on} />
          {how !== 'toldThem' && (
            <TextInput
              label="HSE's reference"
              value={hseReference}
              maxLength={assessmentLimits.reference}
              autoComplete="off"
              onChange={({ currentTarget }) => {
                setErrors({});
                setReference(currentTarget.value);
              }}
              error={errors.hseReference}
            />
          )}
          <Textarea
            label="Note"
            description={how === 'online' ? 'Why there is no reference, if there is none' : 'Optional'}
            value={note}
            maxLength={textLimits.note}
            autosize
            minRows={2}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            error={errors.note}
          />
          <div className={styles.actions}>
            <Button type="submit" loading={add.isPending}>
              Record it
            </Button>
          </div>
        </form>
      )}
      <StatusLine status={status} />
    </section>
  );
}
