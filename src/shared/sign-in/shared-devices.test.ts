import { expect, test } from 'vitest';
import { NewPin } from './shared-devices.ts';

const readProblem = (pin: string) => NewPin.safeParse(pin).error?.issues[0]?.message;

test.each(['274916', '80362719', '102938475610'])('%s is accepted as a PIN', (pin) => {
  expect(readProblem(pin)).toBeUndefined();
});

test.each([
  ['27491', 'A PIN has 6 to 12 digits'],
  ['2749162749168', 'A PIN has 6 to 12 digits'],
  ['27491a', 'A PIN has digits only'],
  ['٢٧٤٩١٦', 'A PIN has digits only'],
  ['000000', 'Choose a PIN that does not repeat digits'],
  ['272727', 'Choose a PIN that does not repeat digits'],
  ['274274', 'Choose a PIN that does not repeat digits'],
  ['123456', 'Choose a PIN without a sequence such as 123456'],
  ['890123', 'Choose a PIN without a sequence such as 123456'],
  ['87654321', 'Choose a PIN without a sequence such as 123456'],
  ['241185', 'Choose a PIN that is not a date'],
  ['851124', 'Choose a PIN that is not a date'],
  ['290296', 'Choose a PIN that is not a date'],
  ['24111985', 'Choose a PIN that is not a date'],
  ['19851124', 'Choose a PIN that is not a date'],
])('%s is rejected as a PIN: %s', (pin, message) => {
  expect(readProblem(pin)).toBe(message);
});
