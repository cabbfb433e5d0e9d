// Adds places to a park: typed, pasted, or from a file.
import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#shared/api.ts';
import { parsePlaceCsv } from '#shared/place-import.ts';
import { pluralise } from '#shared/pluralise.ts';
import { listLines } from '#shared/shown-questions.ts';
import { callApi } from '../client/api.ts';
import { describeError } from '../client/errors.ts';
import { formNames } from '../formNames.ts';
import { FormElement } from '../forms/FormElement.tsx';
import { useForm } from '../forms/useForm.ts';
import { useTextFile } from '../forms/useTextFile.tsx';
import { type Status, StatusLine } from '../ui/feedback/StatusLine.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';

export function AddPlaces({ park }: { park: string }) {
  const [status, setStatus] = useState<Status>();
  const form = useForm<{ name: string }, { added: number }>(formNames.newPlace(park), {
    start: { name: '' },
    send: ({ name }) => callApi(api.addPlaces, { body: { park, names: listNames(name) } }),
    toFieldErrors,
    onSaved: ({ added }, { name }) =>
      setStatus({
        kind: 'success',
        text: listNames(name).length > 1 ? `${pluralise(added, 'place')} added.` : `${name} was added.`,
      }),
  });
  const resetFile = useRef<() => void>(null);
  const upload = useMutation({
    onMutate() {
      form.dismiss();
      setStatus(undefined);
    },
    mutationFn: (names: string[]) => callApi(api.addPlaces, { body: { park, names } }),
    onSuccess: ({ added }) => setStatus({ kind: 'success', text: `${pluralise(added, 'place')} added.` }),
    onError: (error) => setStatus({ kind: 'error', text: describeError(error) }),
  });
  const file = useTextFile((csv) => {
    const { names, errors } = parsePlaceCsv(csv, park);
    const [error] = errors;
    if (error) setStatus({ kind: 'error', text: `Line ${error.line}: ${error.message}` });
    else upload.mutate(names);
  });
  return (
    <FormElement
      form={form}
      onSubmit={(event) => {
        setStatus(undefined);
        form.props.onSubmit(event);
      }}
      aria-label="Add a place"
    >
      <Stack gap="sm">
        <Textarea
          {...form.field('name')}
          label="New place"
          description="Or several, each on its own line."
          autosize
          minRows={1}
          maxRows={10}
          autoComplete="off"
        />
        <Group gap="sm">
          <Button type="submit" loading={form.isSaving} disabled={upload.isPending}>
            Add Place
          </Button>
          <FileButton
            accept=".csv,.txt,text/csv,text/plain"
            inputProps={{ 'aria-label': 'CSV file' }}
            resetRef={resetFile}
            onChange={(chosen) => {
              // Allows choosing the corrected file again.
              resetFile.current?.();
              form.dismiss();
              setStatus(undefined);
              if (chosen) void file.read(chosen);
            }}
          >
            {(props) => (
              <Button {...props} variant="default" loading={upload.isPending} disabled={form.isSaving}>
                Import CSV
              </Button>
            )}
          </FileButton>
        </Group>
        <Text size="sm" c="dimmed">
          A CSV file has one place on each line, or a column called name. Places that exist are left out, and rows of
          other parks if there is a column called park.
        </Text>
        {file.question}
        <StatusLine status={form.failure ? { kind: 'error', text: describeError(form.failure) } : status} />
      </Stack>
    </FormElement>
  );
}

/** Returns the lines, or the one empty name that the server refuses. */
const listNames = (text: string) => {
  const names = listLines(text);
  return names.length > 0 ? names : [''];
};

/** Puts the first error about one of the names at the field. */
function toFieldErrors(errors: FieldErrors): FieldErrors {
  const found = Object.entries(errors).find(([field]) => field.startsWith('names'));
  if (!found) return errors;
  const [field, message] = found;
  const index = Number(field.split('.')[1] ?? 0);
  return { name: index === 0 ? message : `Place ${index + 1}: ${message}` };
}
