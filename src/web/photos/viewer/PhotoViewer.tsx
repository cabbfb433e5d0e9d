// Shows photos full-screen, one at a time.
import { useWindowEvent } from '@mantine/hooks';
import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useId, useState } from 'react';
import { cutOffText } from '#shared/cut-off.ts';
import { Modal } from '../../ui/dialogs/Modal.tsx';
import { useCloseOnBack } from '../../ui/dialogs/useCloseOnBack.ts';
import styles from './PhotoViewer.module.css';
import { useZoom } from './useZoom.ts';

export type ViewerPhoto = {
  src: string;
  /** Identifies the photo if its `src` changes while the viewer is open. */
  id?: string;
  alt: string;
  downloadHref?: string;
  /** The URL of the preview, if it is not that of an upload. */
  preview?: string;
  /** Whether the end of its file is missing. */
  cutOff?: boolean | undefined;
};

type PhotoViewerProps = { photos: ViewerPhoto[]; start?: number; onClose: () => void };

/**
 * Starts with the photo at the index `start`; arrow keys, swipes and buttons change the photo, + and -
 * zoom. Open while mounted; returns the focus afterwards.
 */
export function PhotoViewer({ photos, start = 0, onClose }: PhotoViewerProps) {
  const [index, setIndex] = useState(start);
  const [isBroken, setBroken] = useState(false);
  const zoom = useZoom();
  const titleId = useId();

  function showNext(by: 1 | -1) {
    if (photos.length < 2) return;
    setIndex((index + by + photos.length) % photos.length);
    setBroken(false);
    zoom.reset();
  }

  function handleKey(event: KeyboardEvent) {
    const actions: Record<string, (() => void) | undefined> = {
      ArrowLeft: () => showNext(-1),
      ArrowRight: () => showNext(1),
      '+': zoom.zoomIn,
      '=': zoom.zoomIn,
      '-': zoom.zoomOut,
      '0': zoom.reset,
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  }

  useWindowEvent('keydown', handleKey);

  useCloseOnBack(true, onClose);

  const photo = photos[index];
  if (!photo) return null;
  return (
    <Modal labelledBy={titleId} className={styles.viewer} size="full">
      <div className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          <span aria-live="polite">{`Photo ${index + 1} of ${photos.length}`}</span>
        </h2>
        <button type="button" className={styles.control} aria-label="Zoom out" onClick={zoom.zoomOut}>
          <ZoomOut aria-hidden />
        </button>
        <button type="button" className={styles.control} aria-label="Zoom in" onClick={zoom.zoomIn}>
          <ZoomIn aria-hidden />
        </button>
        {photo.downloadHref && (
          <a className={styles.control} href={photo.downloadHref} download aria-label="Download">
            <Download aria-hidden />
            <span className={styles.buttonText}>Download</span>
          </a>
        )}
        <button type="button" className={styles.control} aria-label="Close" data-autofocus onClick={onClose}>
          <X aria-hidden />
          <span className={styles.buttonText}>Close</span>
        </button>
      </div>
      <div className={styles.body}>
        <div className={styles.stage} data-zoomed={zoom.scale > 1 || undefined} {...zoom.handlers(showNext)}>
          {isBroken ? (
            <p role="alert">This photo could not be shown.</p>
          ) : (
            <img
              key={photo.src}
              src={photo.src}
              // biome-ignore lint/a11y/noRedundantAlt: the text says which photo of how many it is
              alt={`Photo ${index + 1} of ${photos.length}, ${photo.alt}`}
              className={styles.picture}
              style={{ transform: zoom.transform }}
              draggable={false}
              onError={() => setBroken(true)}
            />
          )}
        </div>
        {photo.cutOff && (
          <p className={styles.note} role="note">
            {cutOffText}
          </p>
        )}
        {photos.length > 1 && (
          <>
            <button
              type="button"
              className={`${styles.control} ${styles.before}`}
              aria-label="Previous photo"
              onClick={() => showNext(-1)}
            >
              <ChevronLeft size={28} aria-hidden />
            </button>
            <button
              type="button"
              className={`${styles.control} ${styles.after}`}
              aria-label="Next photo"
              onClick={() => showNext(1)}
            >
              <ChevronRight size={28} aria-hidden />
            </button>
          </>
        )}
      </div>
    </Modal>
  );
}
