import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useObjectUrl } from '../photos/useObjectUrl.ts';
import { Facts } from '../ui/feedback/Facts.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import styles from './ItemContent.module.css';
import type { OutboxItem } from './items.ts';
import { type LabelledFile, listContent, readLabelledFiles } from './listContent.ts';

/** The content of a waiting item: fields, photos and signatures. */
export const ItemContent = ({ item }: { item: OutboxItem }) => (
  <>
    <Facts className={styles.content} facts={listContent(item)} />
    {item.files.length > 0 && <Files key={item.id} item={item} />}
  </>
);

function Files({ item }: { item: OutboxItem }) {
  const [files, setFiles] = useState<LabelledFile[]>();
  useEffect(() => {
    void readLabelledFiles(item).then(setFiles);
  }, [item]);

  if (!files) return <Loading shape="rows" />;
  return (
    <ul className={styles.images}>
      {files.map((file) => (
        <li key={file.id}>
          <FileImage {...file} />
        </li>
      ))}
    </ul>
  );
}

function FileImage({ label, file, note }: LabelledFile) {
  const url = useObjectUrl(file);
  if (!file) return <Text size="sm">{label}: this device no longer has this file.</Text>;
  return (
    <>
      {url && <img src={url} alt={label} />}
      {note && <Text size="sm">{note}</Text>}
    </>
  );
}
