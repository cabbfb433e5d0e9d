import { parseConfig } from './config.ts';
import { start } from './start.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

try {
  const { address, firstPassword, stop } = await start(parseConfig());
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
  print(`Ready at ${address}`);
  if (firstPassword)
    print(
      `\nSign in as admin with the password ${firstPassword}\nYou will not see this password again. Change it after signing in.\n`,
    );
} catch (error) {
  process.stderr.write(`The server did not start. ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
