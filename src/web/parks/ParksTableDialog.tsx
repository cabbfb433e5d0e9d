// One table with the settings of all open parks, into which a block of a spreadsheet can be pasted.
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, useId, useState } from 'react';
import { isAdminOfAllParks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { authorityNames } from '#shared/law/authority.ts';
import type { ParkSettings, ParkSettingsChange } from '#shared/park-settings.ts';
import { pluralise } from '#shared/pluralise.ts';
import { callApi } from '../client/api.ts';
import { namesQuery } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';
import { getGuestUrl } from '../operator.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import styles from './ParksTableDialog.module.css';
import {
  type Cell,
  columnTexts,
  describeCell,
  type Field,
  type Pasted,
  parseCell,
  readBlock,
  toCell,
} from './parksTable.ts';

type ParksTableDialogProps = { settings: ParkSettings[]; onClose: () => void; onSaved: () => void };

/** The texts of cells that were changed. */
type Texts = { [cell in Cell]?: string };

export function ParksTableDialog({ settings, onClose, onSaved }: ParksTableDialogProps) {
  const user = useUser();
  const { data: people = [] } = useQuery({ ...namesQuery, staleTime: 0 });
  const [pasted, setPasted] = useState<Pasted>();
  const id = useId();
  const fields = (Object.keys(columnTexts) as Field[]).filter(
    (field) =>
      (field !== 'authority' || isAdminOfAllParks(user)) &&
      (getGuestUrl() !== '' || (field !== 'guestTelephone' && field !== 'gasTelephone')),
  );
  const parks = settings.map(({ park }) => park);
  /** What each changed cell means. */
  const listChanged = (texts: Texts) =>
    settings.flatMap((saved) =>
      fields.flatMap((field) => {
        const cell = toCell(field, saved.park);
        const text = texts[cell];
        if (text === undefined || text === describeCell(saved, field, people)) return [];
        return { cell, field, park: saved.park, ...parseCell(field, text, saved.park, people) };
      }),
    );
  const form = useForm<Texts, unknown, { parks: ParkSettingsChange[] }>(formNames.allParkSettings(), {
    start: {},
    check: (texts) =>
      Object.fromEntries(listChanged(texts).flatMap((one) => ('error' in one ? [[one.cell, one.error]] : []))),
    toSent(texts) {
      const changed = listChanged(texts);
      const toChange = (park: string) =>
        Object.fromEntries(
          changed.flatMap((one) => (one.park === park && 'value' in one ? [[one.field, one.value]] : [])),
        );
      return { parks: parks.map((park) => ({ park, ...toChange(park) })) };
    },
    send: (body) => callApi(api.saveAllParkSettings, { body }),
    toFieldErrors: (errors) =>
      Object.fromEntries(
        Object.entries(errors).map(([name, message]) => {
          const [, index = '', field = ''] = name.split('.');
          return [toCell(field as Field, parks[Number(index)] ?? ''), message];
        }),
      ),
    isOpenedByUser: true,
    onSaved,
  });

  const paste = (event: ClipboardEvent) => {
    const { row, column } = (event.target as HTMLElement).closest('td')?.dataset ?? {};
    const block = readBlock(event.clipboardData.getData('text/plain'), {
      ...{ parks, columns: fields.length },
      start: { row: Number(row), column: Number(column) },
    });
    if (block.cells.length === 0 && block.leftOut.length === 0) return;
    event.preventDefault();
    setPasted(block);
    const texts = block.cells.map(({ row, column, text }) => [toCell(fields[column] as Field, parks[row] ?? ''), text]);
    if (texts.length > 0) form.set(Object.fromEntries(texts));
  };

  return (
    <FormDialog
      form={form}
      title="Fill In All Parks"
      submit="Save"
      failed="The settings could not be saved"
      size="wide"
      onClose={onClose}
    >
      <Text>
        You can paste cells of a spreadsheet. If their first column has the names of parks, paste them into any cell;
        otherwise into the cell where they begin. Empty cells change nothing.
        {fields.includes('authority') && ` An authority is one of: ${Object.values(authorityNames).join(', ')}.`}
      </Text>
      <div role="status">
        {pasted && (
          <Text fw={600}>
            {pluralise(pasted.cells.length, 'cell')} pasted. {pasted.leftOut.join(' ')}
          </Text>
        )}
      </div>
      <div className={styles.scroller}>
        <table className={styles.table} onPaste={paste}>
          <thead>
            <tr>
              <th scope="col">Park</th>
              {fields.map((field) => (
                <th key={field} scope="col">
                  {columnTexts[field]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.map((saved, row) => (
              <tr key={saved.park}>
                <th scope="row" translate="no">
                  {saved.park}
                </th>
                {fields.map((field, column) => {
                  const cell = toCell(field, saved.park);
                  const label = `${columnTexts[field]}: ${saved.park}`;
                  return (
                    <td key={field} data-row={row} data-column={column}>
                      {field === 'assignee' || field === 'hazardAssignee' ? (
                        <PeoplePicker
                          {...form.field(cell)}
                          aria-label={label}
                          usersOnly
                          park={saved.park}
                          value={form.values[cell] ?? saved[field]}
                        />
                      ) : (
                        <TextInput
                          {...form.field(cell)}
                          aria-label={label}
                          value={form.values[cell] ?? describeCell(saved, field, people)}
                          autoComplete="off"
                          type={field === 'authority' ? 'text' : 'tel'}
                          list={field === 'authority' ? id : undefined}
                        />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <datalist id={id}>
        {Object.values(authorityNames).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </FormDialog>
  );
}
