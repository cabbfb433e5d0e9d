import { useState } from 'react';
import type { OutboxItem } from './items.ts';
import { saveCopy } from './saveCopy.ts';

/** Downloads an item as a zip; `error` is a message if that fails. */
export function useSaveCopy(item: OutboxItem) {
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState('');
  async function save() {
    setSaving(true);
    setError('');
    await saveCopy(item).catch(() => setError('The copy could not be made. Please try again.'));
    setSaving(false);
  }
  return { isSaving, error, save };
}
