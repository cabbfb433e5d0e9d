// Tests one child process with a decoder that fails as sharp does. workers/pool.test.ts tests
// retries after a child process has exited.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const toModuleUrl = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

/** Starts a child process whose decoder fails with this message, and sends it an image. */
function startChild(message: string) {
  const decoder = toModuleUrl(`
    const image = { metadata: () => Promise.reject(new Error(${JSON.stringify(message)})) };
    export default Object.assign(() => image, { block() {}, unblock() {}, cache() {}, concurrency() {} });`);
  const importHook = toModuleUrl(`
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve: (name, context, next) =>
        name === 'sharp' ? { url: ${JSON.stringify(decoder)}, shortCircuit: true } : next(name, context),
    });`);
  const script = new URL('./image-child.ts', import.meta.url);
  const child = fork(script, { execArgv: ['--import', importHook], serialization: 'advanced' });
  children.push(child);
  child.send({ bytes: Buffer.from('an image'), ext: 'png', fit: 100 });
  return child;
}

test.each(['VipsPng: out of memory', 'unable to open the file: unix error: Too many open files'])(
  'a decoder that fails with "%s" ends its child process, so that another one retries the image',
  async (message) => {
    expect(await once(startChild(message), 'exit')).toEqual([1, null]);
  },
);

test('a decoder that cannot read an image reports an error, and its child process keeps running', async () => {
  const child = startChild('pngload: libspng read error');
  expect((await once(child, 'message'))[0]).toEqual({ error: 'pngload: libspng read error' });
  expect(child.exitCode).toBeNull();
});
