// Runs one attack in its own process, so that it takes no CPU time from the measuring process. Runs
// until it is killed.
import type { Target } from './attack-tools.ts';
import { attacks } from './attacks.ts';

process.once('message', (message) => {
  const { name, target } = message as { name: string; target: Target };
  void attacks[name]?.run(target);
});
