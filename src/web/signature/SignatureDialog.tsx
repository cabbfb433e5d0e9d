import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { CircleAlert, Eraser, Keyboard, PenLine, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { SignedBy } from '#shared/reports/signed-by.ts';
import { readBytes } from '../drafts/storedBlobs.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { type FieldErrors, focusFirstError, getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import type { Signature, SignatureSource } from './png.ts';
import { type Drawing, emptyDrawing, SignaturePad, type SignaturePadHandle } from './SignaturePad.tsx';
import { type Signer, SigningFor } from './SigningFor.tsx';
import styles from './signature.module.css';
import { TypedSignature } from './TypedSignature.tsx';

/** Whose signature it is: `Injured person`, and the name if known. */
export type RequestedSigner = { role: string; name?: string | undefined };

type SignatureDialogProps = {
  opened: boolean;
  requestedSigner?: RequestedSigner | undefined;
  /** Set if someone else may sign for that person; `last` is who did last time. */
  signingFor?: { last: SignedBy | undefined } | undefined;
  /** A different key starts with an empty canvas; otherwise the drawing stays. */
  drawingKey: string | undefined;
  onClose: () => void;
  /** The dialog stays open until this has resolved. */
  onSave: (signature: Signature) => void | Promise<void>;
  /** Shown when an empty canvas is saved; without it, nothing happens. */
  emptyMessage?: string | undefined;
};

/** Asks for a signature, drawn or typed. `onSave` gets a PNG of at most 800 px and 0.2 MB. */
export function SignatureDialog({
  opened,
  requestedSigner,
  signingFor,
  drawingKey,
  onClose,
  onSave,
  emptyMessage,
}: SignatureDialogProps) {
  const isSmallScreen = useMediaQuery('(max-width: 640px), (max-height: 560px)', undefined, {
    getInitialValueInEffect: false,
  });
  const start: SignatureInput = { ...emptyInput, signer: signingFor?.last, drawingKey };
  const [input, setInput] = useState(start);
  if (input.drawingKey !== drawingKey) setInput(start);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Sign Here"
      size="lg"
      isFullScreen={isSmallScreen}
      // A stroke that ends outside the canvas must not close the dialog.
      closeOnClickOutside={false}
      closeLabel="Close without saving"
      classNames={{ dialog: styles.dialog, body: styles.body }}
    >
      <SignatureForm
        key={drawingKey}
        requestedSigner={requestedSigner}
        signingFor={signingFor}
        emptyMessage={emptyMessage}
        input={input}
        onChange={(changes) => setInput((input) => ({ ...input, ...changes }))}
        onSave={async (signature) => {
          await onSave(signature);
          setInput(start);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** What was entered, kept while the dialog is closed without saving. */
type SignatureInput = {
  drawing: Drawing;
  isTyping: boolean;
  name: string;
  signer: Signer | undefined;
  drawingKey: string | undefined;
};
const emptyInput = { drawing: emptyDrawing, isTyping: false, name: '' };

type SignatureFormProps = Pick<SignatureDialogProps, 'requestedSigner' | 'signingFor' | 'emptyMessage' | 'onSave'> & {
  input: SignatureInput;
  onChange: (changes: Partial<SignatureInput>) => void;
};

function SignatureForm({ requestedSigner, signingFor, emptyMessage, onSave, input, onChange }: SignatureFormProps) {
  const pad = useRef<SignaturePadHandle>(null);
  const typedSignature = useRef<SignatureSource>(null);
  const [problem, setProblem] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const signerFields = useRef<HTMLDivElement>(null);
  const { drawing, isTyping, name, signer } = input;

  const isBlank = drawing.strokes.length === 0;
  const isEmpty = isTyping ? name === '' : isBlank;

  function change(changes: Partial<SignatureInput>) {
    onChange(changes);
    setProblem('');
  }

  async function save() {
    const foundErrors = signer ? getFieldErrors(SignedBy, { ...signer, capacity: signer.capacity || undefined }) : {};
    setErrors(foundErrors);
    if (signerFields.current && Object.keys(foundErrors).length > 0) return focusFirstError(signerFields.current);
    const source = isTyping ? typedSignature.current : pad.current;
    if (!source || source.isEmpty()) return setProblem(emptyMessage ?? '');
    try {
      const png = await source.toPng();
      if (png?.type !== 'image/png') {
        return setProblem('Failed to capture signature. Please try again.');
      }
      // With its bytes read, the draft is written at once, even if the page is left right after.
      await readBytes(png);
      await onSave({
        png,
        ...(signer && { signedBy: SignedBy.parse(signer) }),
        ...(requestedSigner?.name?.trim() && { signedAs: requestedSigner.name.trim() }),
      });
    } catch (error) {
      setProblem(`Error capturing signature: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function clear() {
    setProblem('');
    if (isTyping) onChange({ name: '' });
    else pad.current?.clear();
  }

  return (
    <>
      {requestedSigner && (
        <div ref={signerFields} className={styles.about}>
          <p className={styles.requestedSigner}>
            {[requestedSigner.role, requestedSigner.name].filter(Boolean).join(': ')}
          </p>
          {signingFor && (
            <SigningFor
              person={getSignerName(requestedSigner)}
              value={signer}
              errors={errors}
              onChange={(next) => {
                onChange({ signer: next });
                setErrors(removeErrorsOfChangedFields(errors, signer, next));
              }}
            />
          )}
        </div>
      )}
      {/** Hidden, not unmounted, so that the drawing survives a switch to typing. */}
      <div className={styles.region} hidden={isTyping}>
        <SignaturePad
          ref={pad}
          label={isBlank ? 'Signature, empty' : 'Signature, drawn'}
          start={drawing}
          onChange={(drawing) => change({ drawing })}
        />
        {isBlank && (
          <span className={styles.hint} aria-hidden>
            Sign with a finger, pen or mouse
          </span>
        )}
      </div>
      {isTyping && (
        <TypedSignature ref={typedSignature} name={name} onChange={(name) => change({ name })} onEnter={save} />
      )}

      <div role="alert" className={styles.problem}>
        {problem && (
          <>
            <CircleAlert size={18} aria-hidden /> {problem}
          </>
        )}
      </div>

      <div className={styles.actions}>
        <IconButton
          icon={isTyping ? PenLine : Keyboard}
          data-autofocus={isTyping ? undefined : true}
          onClick={() => change({ isTyping: !isTyping, name: name || (signer?.name ?? '') })}
        >
          {isTyping ? 'Draw' : 'Type Name'}
        </IconButton>
        {!isTyping && (
          <IconButton icon={Undo2} aria-disabled={isEmpty} onClick={() => pad.current?.undo()}>
            Undo
          </IconButton>
        )}
        <IconButton icon={Eraser} aria-disabled={isEmpty} onClick={clear}>
          Clear
        </IconButton>
        <Button className={styles.save} onClick={save}>
          Save Signature
        </Button>
      </div>
    </>
  );
}

/** Returns the person for a sentence: `Ellie Barker`, or `the injured person`. */
export const getSignerName = ({ role, name }: RequestedSigner): string => name?.trim() || `the ${role.toLowerCase()}`;

const removeErrorsOfChangedFields = (
  errors: FieldErrors,
  before: Signer | undefined,
  after: Signer | undefined,
): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).filter(
      ([name]) => after !== undefined && before?.[name as keyof Signer] === after[name as keyof Signer],
    ),
  );
