import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import type { OutboxItem } from './items.ts';
import styles from './OutboxPage.module.css';
import { submitAgain } from './outbox.ts';

/** Chooses another folder for a new audit whose folder was deleted or is no longer visible to the user. */
export function OtherFolderChoice({ item }: { item: OutboxItem }) {
  const { data: folders = [] } = useQuery(queryFor(api.listFolders));
  const [chosen, setChosen] = useState('');
  const [problem, setProblem] = useState('');

  async function move() {
    const folder = folders.find(({ id }) => id === chosen);
    if (!folder) return setProblem('Choose a folder');
    const form = `create-audit/${folder.id}`;
    const body = { ...item.body, folder_id: folder.id };
    await submitAgain(item, { form, address: `/${form}`, park: folder.park, body }).catch(() =>
      setProblem('There is no room on this device to change it. Free some space and try again.'),
    );
  }

  return (
    <div className="wrap tight">
      <NativeSelect
        label="Create it in another folder"
        value={chosen}
        error={problem}
        data={[
          { value: '', label: 'Choose a folder' },
          ...folders.map(({ id, name, park }) => ({ value: id, label: `${name}, ${park}` })),
        ]}
        onChange={(event) => {
          setChosen(event.currentTarget.value);
          setProblem('');
        }}
      />
      <Button className={styles.besideField} onClick={move}>
        Create in This Folder
      </Button>
    </div>
  );
}
