// A signature in a form: a button that opens the dialog, and the saved signature.
import { Button } from '@mantine/core';
import { PenLine } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { formatSignedBy } from '#shared/reports/signed-by.ts';
import { useObjectUrl } from '../photos/useObjectUrl.ts';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { isSignedAsOther, type Signature } from './png.ts';
import { getSignerName, type RequestedSigner, SignatureDialog } from './SignatureDialog.tsx';
import styles from './signature.module.css';

type SignatureFieldProps = {
  label: string;
  /** Whose signature it is, shown in the dialog. */
  requestedSigner?: RequestedSigner;
  /** Whether someone else may sign for that person. */
  allowsSigningFor?: boolean;
  value: Signature | null;
  /** The dialog closes only after the signature is saved. */
  onChange: (value: Signature | null) => void | Promise<void>;
  error?: string | undefined;
  description?: string;
  required?: boolean;
  disabled?: boolean;
  /** Shown in the dialog when an empty canvas is saved; without it, nothing happens. */
  emptyMessage?: string | undefined;
};

export function SignatureField({
  label,
  requestedSigner,
  allowsSigningFor,
  value,
  onChange,
  error,
  description,
  required,
  disabled,
  emptyMessage,
}: SignatureFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const openButton = useRef<HTMLButtonElement>(null);
  const url = useObjectUrl(value?.png);
  const id = useId();
  const isRenamed = isSignedAsOther(value, requestedSigner?.name ?? '');
  return (
    <FieldGroup
      className={styles.field ?? ''}
      label={label}
      description={description}
      required={Boolean(required)}
      // The question below replaces the error.
      error={isRenamed ? undefined : error}
    >
      {({ label: labelId, describedBy }) => (
        <>
          <button
            type="button"
            ref={openButton}
            className={styles.opener}
            aria-labelledby={`${id}-action ${labelId}`}
            aria-describedby={[describedBy, isRenamed && `${id}-renamed`].filter(Boolean).join(' ') || undefined}
            aria-haspopup="dialog"
            data-error={Boolean(error) || undefined}
            disabled={disabled}
            onClick={() => setOpen(true)}
          >
            {url && <img src={url} alt="" className={styles.saved} />}
            <span className={styles.action} id={`${id}-action`}>
              <PenLine size={18} aria-hidden />
              {value ? 'Sign Again' : 'Sign'}
            </span>
          </button>
          {value?.signedBy && requestedSigner && (
            <p className={styles.signedBy}>{formatSignedBy(value.signedBy, getSignerName(requestedSigner))}</p>
          )}
          {value && requestedSigner && isRenamed && (
            <div className={styles.signedAs}>
              <p id={`${id}-renamed`}>
                “{value.signedAs}” signed, and the {requestedSigner.role.toLowerCase()} is “{requestedSigner.name}” now.
                Sign again, unless it is the same person.
              </p>
              <Button
                variant="default"
                disabled={Boolean(disabled)}
                onClick={() => void onChange({ ...value, signedAs: requestedSigner.name ?? '' })}
              >
                Same Person
              </Button>
            </div>
          )}
          {value && (
            <Button
              variant="default"
              className={styles.clear}
              aria-label={`Clear, ${label}`}
              disabled={Boolean(disabled)}
              onClick={() => {
                void onChange(null);
                openButton.current?.focus();
              }}
            >
              Clear
            </Button>
          )}
          <SignatureDialog
            opened={isOpen}
            requestedSigner={requestedSigner}
            signingFor={allowsSigningFor ? { last: value?.signedBy } : undefined}
            drawingKey={url}
            onClose={() => setOpen(false)}
            onSave={onChange}
            emptyMessage={emptyMessage}
          />
        </>
      )}
    </FieldGroup>
  );
}
