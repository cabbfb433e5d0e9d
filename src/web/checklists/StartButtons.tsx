// Other starts of a new checklist: a template, or a file.
import { Box } from '@mantine/core';
import { FileUp, LayoutTemplate } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import type { NewChecklist } from '#shared/checklists.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { readChecklistFile } from './files/checklistFile.ts';

const TemplatesDialog = lazyComponent(() => import('./templates/TemplatesDialog.tsx'), 'TemplatesDialog');

export function StartButtons({ onStart }: { onStart: (checklist: NewChecklist) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isChoosing, setChoosing] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);

  async function read({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    const text = await file.text().catch(() => undefined);
    // Allows choosing the corrected file again.
    currentTarget.value = '';
    const result =
      text === undefined ? { errors: ['This file could not be read. Choose it again.'] } : readChecklistFile(text);
    setErrors('errors' in result ? result.errors : []);
    if ('checklist' in result) onStart(result.checklist);
  }
  function startFrom(template: NewChecklist) {
    setChoosing(false);
    setErrors([]);
    onStart(template);
  }

  return (
    <>
      <IconButton icon={LayoutTemplate} onClick={() => setChoosing(true)}>
        Start from a Template
      </IconButton>
      <IconButton icon={FileUp} onClick={() => input.current?.click()}>
        New from File
      </IconButton>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="File of a checklist"
        onChange={(event) => void read(event)}
      />
      {errors.length > 0 && (
        <Box className="breakable" flex="0 1 100%">
          <ErrorBox message="This file could not be used. Correct it and choose it again.">
            <Box component="ul" m={0} ps="1.25rem">
              {errors.map((error) => (
                <li key={error}>{error}</li>
              ))}
            </Box>
          </ErrorBox>
        </Box>
      )}
      {isChoosing && <TemplatesDialog onUse={startFrom} onClose={() => setChoosing(false)} />}
    </>
  );
}
