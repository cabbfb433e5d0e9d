import { networkInterfaces } from 'node:os';
import { parseConfig } from './config.ts';
import { start } from './start.ts';
import { describeStart } from './system/start-lines.ts';

try {
  const config = parseConfig();
  const { address, port, firstPassword, stop } = await start(config);
  // A signal may arrive twice: from the terminal and from the parent process.
  let shutdown: Promise<void> | undefined;
  const end = () => {
    shutdown ??= stop();
    void shutdown.then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The server did not stop cleanly. ${error}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  const lines = describeStart(config, { address, port, firstPassword, networks: networkInterfaces() });
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
} catch (error) {
  process.stderr.write(`The server did not start. ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
