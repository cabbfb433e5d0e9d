// Loaded into the processes of the tests before anything else: hashing a password takes hardly any time in them.
import { registerHooks } from 'node:module';

const quick = new URL('quick-argon2.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => next(specifier === '@node-rs/argon2' ? quick : specifier, context),
});
