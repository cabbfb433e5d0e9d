import { Box, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { NewChecklist } from '#shared/checklists.ts';
import { pluralise } from '#shared/pluralise.ts';
import { countQuestions } from '#shared/shown-questions.ts';
import { matchesSearch } from '#shared/text.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { Facts } from '../../ui/feedback/Facts.tsx';
import { SearchBox } from '../../ui/forms/SearchBox.tsx';
import rows from '../../ui/theme/rows.module.css';
import styles from './TemplatesDialog.module.css';
import { type Template, templates, toNewChecklist } from './templates.ts';

/** The checklists to start from; the chosen one opens in the editor. */
export function TemplatesDialog({ onUse, onClose }: { onUse: (checklist: NewChecklist) => void; onClose: () => void }) {
  const [search, setSearch] = useState('');
  const found = templates.filter((template) => matchesSearch([template.title, template.for], search));
  return (
    <Dialog opened onClose={onClose} title="Start from a Template" size="lg">
      <Text mb="md">
        Each is a start, not a finished checklist: adapt it to your places, your equipment and your risk assessments
        before staff use it. Nothing is saved until you create it.
      </Text>
      <Box mb="md">
        <SearchBox label="Search templates..." value={search} onSearch={setSearch} />
      </Box>
      {found.length === 0 && <Text c="dimmed">No template found.</Text>}
      <ul className={rows.list}>
        {found.map((template) => (
          <li key={template.title} className={rows.row}>
            <div className={rows.text}>
              <Title order={3} size="h5">
                {template.title}
              </Title>
              <Text size="sm" c="dimmed">
                {pluralise(countQuestions(template.sections), 'question')}
              </Text>
              <Facts className={styles.facts} facts={listFacts(template)} />
            </div>
            <Button
              variant="default"
              aria-label={`Use Template ${template.title}`}
              onClick={() => onUse(toNewChecklist(template))}
            >
              Use Template
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const listFacts = ({ for: purpose, guidance, often, adapt }: Template) => [
  { label: 'For', value: purpose },
  { label: 'How often', value: often },
  { label: 'Law and guidance', value: guidance },
  { label: 'Adapt it', value: adapt },
];
