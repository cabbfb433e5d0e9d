import { Group, Text, Title } from '@mantine/core';
import { Copy, Printer, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { formatAnswer } from '#shared/answers.ts';
import { isSignatureUrl } from '#shared/reports/signature-url.ts';
import { isRecorded } from '#shared/shown-questions.ts';
import { useNames } from '../../client/names.ts';
import { useUser } from '../../client/session.ts';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import type { OrphanedDraft } from '../checklistDrafts.ts';
import { countPhotos, isShownAsFailing } from '../failures.ts';
import { PrintableChecklist } from '../PrintableChecklist.tsx';
import styles from './DeletedChecklist.module.css';

/** Answers to a checklist that was deleted: they cannot be submitted, but copied and printed. */
export function DeletedChecklist({ draft, onDelete }: { draft: OrphanedDraft; onDelete: () => void }) {
  const { username } = useUser();
  const showName = useNames();
  const [isPrinting, setPrinting] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const text = useRef<HTMLTextAreaElement>(null);
  const { title, place, sections, answers, failures } = draft;
  const name = [title, place].filter(Boolean).join(', ');
  const lines = listAnswerLines(draft);

  // The Clipboard API exists only over HTTPS; this works everywhere.
  const copy = () => {
    text.current?.select();
    document.execCommand('copy');
  };

  return (
    <section className={styles.panel} aria-label={`Deleted checklist: ${name}`}>
      <Title order={2} size="h4">
        {name}
      </Title>
      <Text>
        This checklist was deleted, so it can no longer be submitted. Your answers are still here. Copy them, or print
        them on paper or as a PDF.
      </Text>
      <textarea
        ref={text}
        className="typed"
        aria-label="Your answers"
        readOnly
        rows={Math.min(lines.length + 1, 10)}
        value={lines.join('\n')}
      />
      <Group>
        <IconButton icon={Copy} onClick={copy}>
          Copy Answers
        </IconButton>
        <IconButton icon={Printer} onClick={() => setPrinting(true)}>
          Print Answers
        </IconButton>
        <IconButton icon={Trash2} variant="subtle" onClick={() => setConfirming(true)}>
          Delete Answers
        </IconButton>
      </Group>
      {isPrinting && (
        <PrintableChecklist
          title={title}
          sections={sections}
          answers={answers}
          failures={failures}
          place={place === undefined ? undefined : { name: place }}
          by={showName(username)}
          onPrinted={() => setPrinting(false)}
        />
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        title="Delete your answers?"
        confirm="Delete"
        isDangerous
        onConfirm={onDelete}
        onCancel={() => setConfirming(false)}
      >
        Your answers to “{name}” will be deleted from this device. This cannot be undone.
      </ConfirmDialog>
    </section>
  );
}

/** `Chlorine: 0.2. Failing: The pump has stopped` */
const listAnswerLines = ({ sections, answers, failures }: OrphanedDraft) =>
  sections.flatMap((section, index) => {
    if (!isRecorded(sections, answers, index)) return [];
    const answer = answers[index];
    const failure = failures[index];
    const given = section.type === 'photo' ? countPhotos(failure) : formatAnswer(section, answer);
    const text = isSignatureUrl(answer) ? '(signature)' : given || 'Not provided';
    const note = failure?.note;
    const label = isShownAsFailing(section, answer, failure !== undefined) ? 'Failing' : 'Note';
    return `${section.title}: ${text}${note ? `. ${label}: ${note}` : ''}`;
  });
