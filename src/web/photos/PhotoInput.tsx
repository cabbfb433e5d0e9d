import type { ComponentProps } from 'react';
import { acceptedPhotos } from './heic.ts';
import styles from './PhotoInput.module.css';

type PhotoInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'type'> & { onFiles: (files: File[]) => void };

/** A button that chooses or takes photos: its children, and the browser's own control over them. */
export const PhotoInput = ({ children, className = '', onFiles, ...props }: PhotoInputProps) => (
  <label className={`${styles.button} ${className}`} data-disabled={props.disabled || undefined}>
    {children}
    <input
      accept={acceptedPhotos}
      {...props}
      type="file"
      className={styles.input}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // Allows choosing the same file again after removing it.
        currentTarget.value = '';
      }}
    />
  </label>
);
