import { readConfig } from './config.ts';
import { start } from './start.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

try {
  const { address, firstPassword, stop } = await start(readConfig());
  say(`Ready at ${address}`);
  if (firstPassword)
    say(`\nSign in as admin with the password ${firstPassword}\nIt is shown this once. Change it after signing in.\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop().then(() => process.exit(0)));
} catch (error) {
  process.stderr.write(`The server did not start. ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
