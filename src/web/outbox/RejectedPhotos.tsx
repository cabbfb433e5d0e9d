import { Button, Text } from '@mantine/core';
import { Download, ImageOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useObjectUrl } from '../photos/useObjectUrl.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { type Receipt, readFile } from './items.ts';
import styles from './RejectedPhotos.module.css';
import { formatRejected } from './receiptText.ts';

/** The photos that the server could not read, why, and buttons to save them. */
export function RejectedPhotos({ receipt }: { receipt: Receipt }) {
  const { rejected, number } = receipt;
  if (rejected.length === 0) return null;
  return (
    <section className={styles.rejected} aria-label="Photos that were not added">
      <RecordList
        query={{ data: rejected }}
        className="stack list"
        row={(photo) => <RejectedPhoto receiptId={receipt.id} photo={photo} />}
      />
      <Text size="sm">
        {number ?? 'This report'} is complete without {rejected.length === 1 ? 'it' : 'them'} and cannot be changed.
        Save the {rejected.length === 1 ? 'photo, and give it' : 'photos, and give them'} to your Health & Safety
        Manager{number && ` with the number ${number}`}.
      </Text>
    </section>
  );
}

type Rejected = Receipt['rejected'][number];

function RejectedPhoto({ receiptId, photo }: { receiptId: string; photo: Rejected }) {
  const [file, setFile] = useState<File>();
  const [isUnreadable, setUnreadable] = useState(false);
  const url = useObjectUrl(file);
  useEffect(() => {
    void readFile(receiptId, { ...photo, type: 'image/jpeg' }).then(setFile, () => undefined);
  }, [receiptId, photo]);
  return (
    <li className={styles.photo}>
      {url && !isUnreadable ? (
        <img src={url} alt="" className={styles.image} onError={() => setUnreadable(true)} />
      ) : (
        <span className={styles.image}>
          <ImageOff aria-hidden />
        </span>
      )}
      <div>
        <Text size="sm">{formatRejected(photo)}</Text>
        {url && (
          <Button
            component="a"
            href={url}
            download={photo.name}
            variant="default"
            mt="xs"
            leftSection={<Download aria-hidden size={18} />}
            aria-label={`Save Photo ${photo.position}`}
          >
            Save Photo
          </Button>
        )}
      </div>
    </li>
  );
}
