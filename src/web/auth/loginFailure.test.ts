import { expect, test } from 'vitest';
import { ApiError } from '#shared/client.ts';
import { describeLoginFailure } from './loginFailure.ts';

const ownError = (message: string) => JSON.stringify({ success: false, code: 'X', message });
const serverProblem = 'The server has a problem: your password may be right. Try again in a minute.';

test.each<[string, unknown, ReturnType<typeof describeLoginFailure>]>([
  ['a wrong password', new ApiError(401, ownError('No')), { message: 'Invalid credentials' }],
  ['a lockout', new ApiError(429, ownError('Wait a minute.')), { message: 'Wait a minute.' }],
  [
    'a one-time password that was used',
    new ApiError(401, JSON.stringify({ code: 'ONE_TIME_PASSWORD_USED', message: 'Ask for a new one.' })),
    { message: 'Invalid credentials', reason: 'Ask for a new one.' },
  ],
  [
    'an error of the server',
    new ApiError(500, ownError('Oh')),
    { message: 'Invalid credentials', reason: serverProblem },
  ],
  [
    'an error of a gateway',
    new ApiError(502, '<h1>Oh</h1>'),
    { message: 'Invalid credentials', reason: serverProblem },
  ],
  ['no connection', new ApiError(0, ''), { message: 'There is no connection. Try again when you are back online.' }],
  ['an error of the page', new Error('Out of memory'), { message: 'Out of memory' }],
])('the login screen describes %s', (_, error, failure) => expect(describeLoginFailure(error)).toEqual(failure));
