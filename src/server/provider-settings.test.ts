import { describe, expect, test } from 'vitest';
import { parseConfig } from './config.ts';

const base = {
  PUBLIC_URL: 'https://reports.example',
  OIDC_ISSUER: 'https://login.example/tenant',
  OIDC_CLIENT_ID: 'id',
  OIDC_CLIENT_SECRET: 'secret',
};
const role = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'a = Admin @ All parks' };

describe('the settings of single sign-on', () => {
  test('single sign-on is off without an issuer', () => {
    expect(parseConfig({}).provider).toBeUndefined();
    expect(parseConfig({ OIDC_CLIENT_ID: 'id' }).provider).toBeUndefined();
  });

  test('OIDC_ROLES gives values of the claim a role and parks', () => {
    const list = 'a=b = Health & Safety Manager @ Winkups, Mounds;\n 6f1c = None @ Oakfield ; all = Admin @ All parks;';
    const { provider } = parseConfig({ ...base, ...role, OIDC_ROLES: list });
    expect(provider?.label).toBe('Single Sign-On');
    expect([...(provider?.roles ?? [])]).toEqual([
      ['a=b', { role: 'Health & Safety Manager', parks: ['Winkups', 'Mounds'] }],
      ['6f1c', { role: 'None', parks: ['Oakfield'] }],
      ['all', { role: 'Admin', parks: null }],
    ]);
  });

  test.each([
    ['OIDC_ISSUER must name one tenant', { OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }],
    ['OIDC_ISSUER must name one tenant', { OIDC_ISSUER: 'https://login.microsoftonline.com/Organizations/v2.0' }],
    ['OIDC_ISSUER must be an address that begins with https', { OIDC_ISSUER: 'http://login.example' }],
    ['OIDC_ISSUER must be an address that begins with https', { OIDC_ISSUER: 'http://localhost.example' }],
    ['OIDC_ISSUER must be an address', { OIDC_ISSUER: 'login.example' }],
    ['OIDC_DOMAIN must be set for Google', { OIDC_ISSUER: 'https://accounts.google.com' }],
    ['OIDC_CLIENT_ID and OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['PUBLIC_URL must be set', { PUBLIC_URL: '' }],
    ['must be set together', { OIDC_ROLE_CLAIM: 'groups' }],
    ['OIDC_ROLES has two entries for "a"', { ...role, OIDC_ROLES: 'a = None @ Mounds; a = Admin @ All parks' }],
    ['must be set together', { OIDC_ROLES: 'a = Admin @ All parks' }],
    ['OIDC_ROLE_CLAIM must be set if OIDC_CREATE', { OIDC_CREATE: '1' }],
    ['LOCAL_SIGN_IN can be admins only with', { OIDC_ISSUER: '', LOCAL_SIGN_IN: 'admins' }],
    ['this is not one: a = Boss @ Mounds', { ...role, OIDC_ROLES: 'a = Boss @ Mounds' }],
    ['this is not one: a = Admin @ Mounds,', { ...role, OIDC_ROLES: 'a = Admin @ Mounds,' }],
    ['this is not one: a = Admin @', { ...role, OIDC_ROLES: 'a = Admin @' }],
    ['this is not one: a = Admin', { ...role, OIDC_ROLES: 'a = Admin' }],
    ['this is not one: = Admin @ Mounds', { ...role, OIDC_ROLES: ' = Admin @ Mounds' }],
  ])('settings of single sign-on are rejected with a message: %s', (message, settings) => {
    expect(() => parseConfig({ ...base, ...settings })).toThrow(message);
  });

  test.each([
    { OIDC_ISSUER: 'https://accounts.google.com', OIDC_DOMAIN: 'parks.example' },
    { OIDC_ISSUER: 'http://127.0.0.1:9000', PUBLIC_URL: '' },
    { LOCAL_SIGN_IN: 'admins' },
    { ...role, OIDC_CREATE: '1' },
  ])('settings of single sign-on are accepted: %j', (settings) => {
    expect(parseConfig({ ...base, ...settings }).provider).toBeDefined();
  });
});
