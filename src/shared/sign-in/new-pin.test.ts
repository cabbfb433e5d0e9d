import { expect, test } from 'vitest';
import { commonPins } from './common-pins.ts';
import { NewPin } from './new-pin.ts';

const readProblem = (pin: string) => NewPin.safeParse(pin).error?.issues[0]?.message;

test.each(['274916', '916274', '80362719', '102938475610', '704182'])('%s is accepted as a PIN', (pin) => {
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
  ['112485', 'Choose a PIN that is not a date'],
  ['198511', 'Choose a PIN that is not a date'],
  ['111985', 'Choose a PIN that is not a date'],
  ['11241985', 'Choose a PIN that is not a date'],
  ['994411', 'Choose a PIN that does not repeat digits'],
  ['777333', 'Choose a PIN that does not repeat digits'],
  ['482284', 'Choose a PIN that does not read the same backwards, such as 123321'],
  ['72277272', 'Choose a PIN that does not read the same backwards, such as 123321'],
  ['488448', 'Choose a PIN that does not read the same backwards, such as 123321'],
  ['135791', 'Choose a PIN without a sequence such as 123456'],
  ['963074', 'Choose a PIN without a sequence such as 123456'],
  ['203040', 'Choose a PIN without a sequence such as 123456'],
  ['987654321098', 'Choose a PIN without a sequence such as 123456'],
  ['741963', 'Choose a PIN that is not a line of keys, such as 147258'],
  ['357159', 'Choose a PIN that is not a line of keys, such as 147258'],
  ['1470852', 'Choose a PIN that is not a line of keys, such as 147258'],
  ['896321', 'Choose a PIN that is not a line of keys, such as 147258'],
  ['315475', 'Choose another PIN: many people use this one'],
])('%s is rejected as a PIN: %s', (pin, message) => {
  expect(readProblem(pin)).toBe(message);
});

test('the 200 commonest PINs are rejected, and most others are not', () => {
  expect(commonPins.size).toBe(200);
  for (const pin of commonPins) expect(readProblem(pin), pin).toMatch(/^Choose /);
  const sample = Array.from({ length: 10_000 }, (_, at) => String((at * 100 + 37 * at) % 1_000_000).padStart(6, '0'));
  const rejected = sample.filter((pin) => readProblem(pin) !== undefined).length;
  expect(rejected / sample.length).toBeLessThan(0.15);
});
