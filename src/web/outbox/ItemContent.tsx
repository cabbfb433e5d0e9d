import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useObjectUrls } from '../photos/useObjectUrl.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './ItemContent.module.css';
import { type FileSlot, type OutboxItem, readFile } from './items.ts';
import { listContent } from './listContent.ts';

const slotLabels: Record<FileSlot, string> = {
  photo: 'Photo',
  signature: 'Signature of the person completing the form',
  affectedUserSignature: 'Affected party signature',
};

/** The content of a waiting item: fields, photos and signatures. */
export function ItemContent({ item }: { item: OutboxItem }) {
  return (
    <>
      <dl className={styles.content}>
        {listContent(item).map(({ label, value }) => (
          <div key={label}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {item.files.length > 0 && <Files key={item.id} item={item} />}
    </>
  );
}

function Files({ item }: { item: OutboxItem }) {
  const [files, setFiles] = useState<File[]>();
  const urls = useObjectUrls(files);
  useEffect(() => {
    void Promise.all(item.files.map((info) => readFile(item.id, info))).then((found) =>
      setFiles(found.flatMap((file) => file ?? [])),
    );
  }, [item]);

  if (!urls) return <Loading shape="rows" />;
  return (
    <ul className={styles.images}>
      {item.files.map(({ id, slot, name }, index) => (
        <li key={id}>
          <img src={urls[index]} alt={slot === 'photo' ? `Photo ${index + 1}, ${name}` : slotLabels[slot]} />
        </li>
      ))}
    </ul>
  );
}
