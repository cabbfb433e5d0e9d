import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { type Reading, readTextBytes } from './readTextBytes.ts';

const maxShownWords = 5;

/**
 * Reads a chosen file and passes on its text. If some of its letters may be wrong, `question` asks first how they
 * are written; without an answer nothing is passed on.
 */
export function useTextFile(onRead: (text: string) => void) {
  const [readings, setReadings] = useState<Reading[]>([]);
  const [hasFailed, setFailed] = useState(false);

  const reset = () => {
    setReadings([]);
    setFailed(false);
  };

  async function read(file: File) {
    reset();
    const bytes = await file.arrayBuffer().catch(() => undefined);
    if (!bytes) return setFailed(true);
    const found = readTextBytes(new Uint8Array(bytes));
    if (found[0].doubtfulWords.length > 0) setReadings(found);
    else onRead(found[0].text);
  }

  const question = hasFailed ? (
    <ErrorBox message="This file could not be read. Choose it again." />
  ) : readings.length > 0 ? (
    <ErrorBox message="Some letters of this file may be wrong. How are these words written? Nothing is created until you choose.">
      <Group gap="sm">
        {readings.map(({ text, doubtfulWords }) => (
          <Button
            key={doubtfulWords.join(' ')}
            variant="default"
            onClick={() => {
              reset();
              onRead(text);
            }}
          >
            {doubtfulWords.slice(0, maxShownWords).join(', ')}
          </Button>
        ))}
        <Button variant="subtle" onClick={reset}>
          Use Neither
        </Button>
      </Group>
    </ErrorBox>
  ) : null;

  return { read, reset, question };
}
